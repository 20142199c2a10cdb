"""What `asnets models` tells about the models that ship with the package."""

from collections.abc import Sequence

from asnets.shipped import Coverage, Record, folder, path_of


def list_models(records: Sequence[Record]) -> None:
    """Print a line a model."""
    if not records:
        print(f"no models in {folder()}")
        return
    rows = [("model", "domain", "parameters", "size", "coverage", "on sizes", "trained")]
    rows += [
        (
            record.name,
            record.domain,
            f"{record.parameters:,}",
            f"{path_of(record.name).stat().st_size / 1000:,.0f} kB",
            f"{record.coverage.solved:.4g}/{record.coverage.problems}",
            _sizes(record.coverage),
            f"{record.seconds / 60:.1f} min",
        )
        for record in records
    ]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:2], widths)]
        cells += [cell.rjust(width) for cell, width in zip(row[2:], widths[2:])]
        print("  ".join(cells))


def show_model(record: Record) -> None:
    """Print all of a record, and where its model is."""
    coverage = record.coverage
    path = path_of(record.name)
    print(f"{record.name}: network for domain {record.domain}")
    print(f"file: {path.resolve()} ({path.stat().st_size:,} bytes)")
    print(f"sha256: {record.sha256}")
    print(f"parameters: {record.parameters:,}")
    print(
        f"coverage: {coverage.solved:.4g} of {coverage.problems} test problems of size "
        f"{_sizes(coverage)}, by {coverage.by}"
    )
    print(f"validation: {record.validation:.4g} of the rollouts reach the goal")
    print(f"trained: {record.epochs} epochs in {record.seconds:,.0f} s, seed {record.seed}")
    print(f"commit: {record.commit}")
    print(f"command: {record.command}")


def _sizes(coverage: Coverage) -> str:
    least, greatest = coverage.sizes
    return str(least) if least == greatest else f"{least} to {greatest}"

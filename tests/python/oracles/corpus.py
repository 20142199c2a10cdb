"""The tasks to compare on: the corpus of real files next to the project, and our own domains."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CORPUS = ROOT.parent / "shared" / "pddl-corpus"
PUBLISHED = ROOT.parent / "shared" / "paper-instances"


@dataclass(frozen=True)
class Files:
    domain: Path
    problem: Path | None = None  # None: the domain's file has the problem too

    def __str__(self) -> str:
        return f"{self.domain.parent.name}-{(self.problem or self.domain).stem}"

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self.domain, self.problem) if self.problem else (self.domain,)


def tasks_in(folder: Path) -> list[Files]:
    """The problems of a folder with their domain: domain1.pddl goes with p1.pddl."""
    problems = sorted(file for file in folder.glob("*.pddl") if "domain" not in file.name)
    domains = [folder / f"domain{problem.stem.removeprefix('p')}.pddl" for problem in problems]
    domains = [own if own.exists() else folder / "domain.pddl" for own in domains]
    return [
        Files(domain, problem) if domain.exists() else Files(problem)
        for domain, problem in zip(domains, problems)
    ]


def tasks_below(folder: Path) -> list[Files]:
    """The tasks of all its subfolders, none where the folder does not exist."""
    return [files for child in sorted(folder.glob("*/")) for files in tasks_in(child)]


CLASSICAL = tasks_below(CORPUS / "classical")
PROBABILISTIC = tasks_below(CORPUS / "probabilistic")
OWN = tasks_below(ROOT / "domains")


def files_named(*names: str) -> list[Files]:
    """Those of them that there are."""
    return [files for files in OWN + CLASSICAL if str(files) in names]

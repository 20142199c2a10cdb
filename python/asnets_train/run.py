"""A training run from files to a model file: checks, folders, resuming, and how it ends."""

import fcntl
import hashlib
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from asnets import NetworkStructure, Task, Teacher, ground
from asnets.errors import DamagedFileError, UsageError
from asnets.exit_codes import ExitCode
from asnets.files import OutputError, write_bytes, write_text
from asnets.limits import Deadline, OutOfTimeError, signals_held
from asnets_train import checkpoint
from asnets_train.display import Display, make_display, say
from asnets_train.export import export_model
from asnets_train.log import Log
from asnets_train.options import ARTICLE, RESUMABLE, Options, complaint
from asnets_train.trainer import DivergedError, NothingToLearnError, Trainer, weight_count
from asnets_train.worker import ProblemFile
from asnets_train.workers import WorkerDiedError, Workers

SAVING_SHARE = 0.1
"""Of the time, for checkpoints: teachers' tables may take gigabytes."""


@dataclass(frozen=True)
class Job:
    """What to train on and where to write."""

    domain: Path
    problems: list[Path]
    validation: list[Path]
    output: Path
    options: Options
    restarts: int = 1
    """Runs with seeds of their own, of which the one with the fewest weights counts."""

    @property
    def folder(self) -> Path:
        return self.output.with_name(self.output.name + ".run")

    @cached_property
    def files(self) -> dict[str, Any]:
        """What a run is about, for its config.json: files with their hashes."""

        def hashed(paths: list[Path]) -> list[dict[str, str]]:
            return [{"path": str(each.resolve()), "sha256": digest(each)} for each in paths]

        return {
            "domain": hashed([self.domain])[0],
            "problems": hashed(self.problems),
            "validation": hashed(self.validation),
        }

    def fingerprint(self) -> str:
        """Equal for runs whose checkpoints go on in the same way."""
        options = {k: v for k, v in asdict(self.options).items() if k not in RESUMABLE}
        text = json.dumps([self.files, options], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def load_job(output: Path, given: dict[str, Any]) -> Job:
    """The job that a run's folder describes, with what a user may change when it goes on."""
    file = output.with_name(output.name + ".run") / "config.json"
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
        values = config["options"]
        known = {each.name: each for each in fields(Options)}
        if set(values) != set(known):
            raise ValueError(f"options {sorted(set(values) ^ set(known))}")
        for name, value in values.items():
            problem = complaint(known[name], value)
            if problem:
                raise ValueError(f"{name}: {problem}")
        for name, value in given.items():
            if name not in RESUMABLE and values[name] != value:
                flag = "--" + name.replace("_", "-")
                raise UsageError(f"the run was begun with {flag} {values[name]}: it cannot change")
        job = Job(
            Path(config["domain"]["path"]),
            [Path(each["path"]) for each in config["problems"]],
            [Path(each["path"]) for each in config["validation"]],
            output,
            Options(**{**values, **given}),
            int(config["restarts"]),
        )
        recorded = [
            (Path(each["path"]), each["sha256"])
            for each in (config["domain"], *config["problems"], *config["validation"])
        ]
    except UsageError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFileError(str(file), f"damaged: {error}") from error
    for path, hash_then in recorded:
        if digest(path) != hash_then:
            raise UsageError(f"{path}: changed since the run began")
    return job


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def train(job: Job, resume: bool, restart: bool) -> int:
    """Train and write the model; returns the exit code."""
    if job.restarts > 1:
        return train_again(job, resume, restart)
    return train_once(job, resume, restart)


def train_again(job: Job, resume: bool, restart: bool) -> int:
    """Several runs that share the time; the model with the fewest weights of those with the highest
    success is kept."""
    with run_folder(job, resume, restart) as folder:
        found: list[tuple[float, int, Path]] = []
        for number in range(job.restarts):
            options = replace(
                job.options,
                seed=job.options.seed + number,
                time_limit=job.options.time_limit / job.restarts,
            )
            own = replace(job, output=folder / f"{number + 1}.pt", options=options, restarts=1)
            if not is_finished(own.folder):
                say(f"run {number + 1} of {job.restarts}, seed {options.seed}")
                begun = resume and (own.folder / "config.json").exists()
                code = train_once(own, begun, not begun)
                if code:
                    return code
            record = json.loads((own.folder / "summary.json").read_text(encoding="utf-8"))
            found.append((-(record["success"] or 0.0), record["weights"], own.output))
        success, weights, chosen = min(found)
        write_bytes(job.output, chosen.read_bytes())
        write_text(
            folder / "summary.json",
            (chosen.with_name(chosen.name + ".run") / "summary.json").read_text(encoding="utf-8"),
        )
    say(
        f"{job.output}: {weights:,} weights, success {-success:.3f}; all runs: "
        + ", ".join(f"{size:,}" for _, size, _ in found)
    )
    return ExitCode.SUCCESS


def train_once(job: Job, resume: bool, restart: bool) -> int:
    """One run."""
    begin = time.monotonic()
    torch.set_num_threads(1)  # batches are small; and equal weights for any number of cores
    domain_text = job.domain.read_bytes().decode("utf-8", "surrogateescape")
    files, tasks = read_problems(job)
    structures = [NetworkStructure(task, job.options.pooling) for task in tasks]
    with run_folder(job, resume, restart) as folder:
        file = folder / "checkpoint.pt"
        earlier = checkpoint.load(file) if resume and file.exists() else None
        if earlier and earlier.run != job.fingerprint():
            raise DamagedFileError(str(file), "belongs to another run")
        spent = earlier.seconds if earlier else 0.0
        begin -= spent
        display = make_display()
        log = Log(folder, job.options.tensorboard, earlier.epoch if earlier else 0)
        try:
            deadline = Deadline(max(1e-3, job.options.time_limit - (time.monotonic() - begin)))
            with Workers(
                job.domain, job.options, files, [len(t.actions) for t in tasks]
            ) as workers:
                trainer = Trainer(job.options, structures, files, workers, display)
                if earlier:
                    trainer.restore(earlier)
                reason, code = "", ExitCode.SUCCESS
                try:
                    workers.set_up(files, earlier.problems if earlier else {}, deadline)
                    reason = loop(job, trainer, deadline, display, log, begin)
                except OutOfTimeError:
                    reason = "time limit"
                except KeyboardInterrupt:
                    reason, code = "interrupted", ExitCode.INTERRUPTED
                except MemoryError:
                    reason, code = "out of memory", ExitCode.OUT_OF_MEMORY
                except WorkerDiedError as error:
                    memory = error.out_of_memory
                    reason = str(error)
                    code = ExitCode.OUT_OF_MEMORY if memory else ExitCode.INTERNAL_ERROR
                except DivergedError as error:
                    reason, code = str(error), ExitCode.GAVE_UP
                    if trainer.progress.best_weights is None:
                        print(f"{reason}: no model written", file=sys.stderr)
                        return code
                except NothingToLearnError as error:
                    print(error, file=sys.stderr)
                    return ExitCode.GAVE_UP
        finally:
            display.close()
            log.close()
        with signals_held():
            return finish(
                job, trainer, tasks[0], domain_text, reason, code, time.monotonic() - begin
            )


def loop(
    job: Job, trainer: Trainer, deadline: Deadline, display: Display, log: "Log", begin: float
) -> str:
    """Epoch after epoch; returns why it ended."""
    saved, took = begin, 0.0  # when the last checkpoint was written, how long it took
    while True:
        reason = trainer.finished() if trainer.validation else None
        if reason:  # without validation problems, exploring judges the last weights
            return reason
        figures = trainer.explore(deadline)
        reason = trainer.finished()
        if reason:
            log.write({**figures, "seconds": time.monotonic() - begin, "end": reason})
            return reason
        figures |= trainer.optimise(deadline)
        now = time.monotonic()
        seconds = now - begin
        log.write({**figures, "seconds": seconds})  # a line without a checkpoint comes again
        if took <= SAVING_SHARE * (now - saved) or trainer.epoch == job.options.epochs:
            checkpoint.save(
                log.folder / "checkpoint.pt", trainer.save(job.fingerprint(), seconds, deadline)
            )
            saved = time.monotonic()
            took = saved - now
        display.epoch(figures, deadline.left())


def finish(
    job: Job,
    trainer: Trainer,
    task: Task,
    domain_text: str,
    reason: str,
    code: ExitCode,
    seconds: float,
) -> int:
    """Write the best model and say how it went."""
    progress = trainer.progress
    if trainer.epoch == 0:
        print(f"{reason} before the first epoch ended: no model written", file=sys.stderr)
        return code or ExitCode.OUT_OF_TIME
    judged = progress.best_weights is not None
    if progress.best_weights is not None:
        trainer.policy.load_state_dict(progress.best_weights)
    success, cost = progress.best_score[0], progress.best_cost
    record: dict[str, Any] = {
        "end": reason,
        "finished": code == ExitCode.SUCCESS,
        "epochs": trainer.epoch,
        "seconds": round(seconds, 1),
        "best_epoch": progress.best_epoch if judged else trainer.epoch,
        "success": success if judged else None,
        "cost": cost if judged and success > 0 else None,
        "weights": weight_count(trainer.policy.arrays()),
        "judged_on": "validation" if job.validation else "training",
        "repeatable": not progress.clocked,
        "problems": [str(each) for each in job.problems],
        "skipped": [str(job.problems[index]) for index in progress.skipped],
        "teachers": {str(job.problems[index]): name for index, name in progress.teachers.items()},
        "validation": [str(each) for each in job.validation],
        "options": asdict(job.options),
    }
    export_model(
        trainer.policy,
        job.output,
        signature=trainer.signature,
        features=job.options.features,
        pooling=job.options.pooling,
        domain_name=task.domain_name,
        domain_text=domain_text,
        training=record,
    )
    write_text(job.folder / "summary.json", json.dumps(record, indent=2) + "\n")
    say(f"{reason}: {trainer.epoch} epochs in {seconds:.0f} s")
    if progress.clocked:
        say("a teacher's time limit was reached: a repetition may give other weights")
    how = f", success {success:.3f} in {record['judged_on']}" if judged else ", not judged yet"
    say(f"{job.output}: weights of epoch {record['best_epoch']}{how}")
    if code:
        say("go on with --resume")
    return code


def read_problems(job: Job) -> tuple[list[ProblemFile], list[Task]]:
    """Ground everything once, so that mistakes show before anything is written."""
    paths = [*job.problems, *job.validation]
    for path, times in Counter(each.resolve() for each in job.problems).items():
        if times > 1:
            raise UsageError(f"{path}: given {times} times")
    tasks = []
    for path in paths:
        task = ground(job.domain, path)
        tasks.append(task)
        for warning in task.warnings:
            print(f"warning: {warning}", file=sys.stderr)
        if job.options.teacher not in (None, ARTICLE):
            try:
                Teacher(task, job.options.teacher)
            except ValueError as error:
                raise UsageError(f"{path}: --teacher {job.options.teacher}: {error}") from None
    files = [ProblemFile(i, path.resolve(), i >= len(job.problems)) for i, path in enumerate(paths)]
    for name, times in Counter(each.name for each in job.problems).items():
        if times > 1:
            print(f"warning: {times} problems are named {name}", file=sys.stderr)
    return files, tasks


@contextmanager
def run_folder(job: Job, resume: bool, restart: bool) -> Iterator[Path]:
    """The run's folder, for this process alone, with its config.json."""
    folder = job.folder
    try:
        folder.mkdir(exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise OutputError(error.errno, error.strerror, str(error.filename)) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{folder}: another training run is writing there") from None
        begun = (folder / "checkpoint.pt").exists() or (folder / "1.pt.run").exists()
        if begun and not is_finished(folder) and not resume and not restart:
            raise UsageError(
                f"{folder}: an unfinished run; --resume goes on with it, --restart begins anew"
            )
        if not resume:
            for name in ("summary.json", "checkpoint.pt", "metrics.jsonl"):
                (folder / name).unlink(missing_ok=True)
            for each in (folder / "tensorboard", *folder.glob("*.pt.run")):
                shutil.rmtree(each, ignore_errors=True)
        (folder / "summary.json").unlink(missing_ok=True)
        write_config(job)
        yield folder


def is_finished(folder: Path) -> bool:
    """Did a run end as it was meant to?"""
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
        return bool(summary["finished"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def write_config(job: Job) -> None:
    config = {**job.files, "options": asdict(job.options), "restarts": job.restarts}
    write_text(job.folder / "config.json", json.dumps(config, indent=2) + "\n")

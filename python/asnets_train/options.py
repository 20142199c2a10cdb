"""What a training run can be told. The command line, its help, docs/training.md and the saved
config.json all derive from one dataclass."""

import argparse
import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin

from asnets import TEACHERS
from asnets.inputs import FEATURES, extra_inputs

MANY = 2**31
LONG = 1e9


def _option(
    default: Any,
    help: str,
    *,
    least: float | None = None,
    most: float | None = None,
    above: float | None = None,
    choices: Sequence[str] = (),
) -> Any:
    """A field with its help and bounds; `above` is a bound that is not allowed itself."""
    bounds = {"least": least, "most": most, "above": above, "choices": tuple(choices)}
    return field(default=default, metadata={"help": help, **bounds})


ARTICLE = "article"
"""Of teachers: the article's choice."""


@dataclass(frozen=True)
class Options:
    """The defaults are one choice for all domains; those of the published tables are preset "paper"."""

    # The network
    layers: int = _option(
        2, "Proposition layers; there is one more action layer.", least=1, most=100
    )
    channels: int = _option(16, "Outputs of a hidden module.", least=1, most=4096)
    pooling: Literal["slot", "schema"] = _option(
        "slot", "Take maxima over the actions of a schema for each slot, or for all slots at once."
    )
    skip: bool = _option(True, "Give a module its own output of the layer before.")
    nonlinearity: Literal["elu", "relu", "tanh"] = _option("elu", "Of hidden modules.")
    dropout: float = _option(0.1, "Share of hidden outputs left out.", least=0, most=0.99)
    landmarks: Literal["none", "article", "last-cut", "necessary"] = _option(
        "necessary",
        "LM-cut landmarks as inputs: the article's flags, those of the published tables, or the latter "
        "with what no relaxed plan can do without.",
    )
    counts: bool = _option(True, "How often an action was taken before as an input.")
    helpful: bool = _option(True, "Whether h_ff calls an action helpful as an input.")
    last_action: bool = _option(True, "Whether an action was the last one taken as an input.")

    # The teacher
    teacher: str | None = _option(
        None,
        "Name of the teacher, or article: astar:h_add, or lrtdp:h_add if the task is probabilistic. "
        "Default: the article's, but astar:lm_cut where h_add does not lead to the goal.",
        choices=(ARTICLE, *TEACHERS),
    )
    teacher_time: float = _option(
        30.0, "Seconds for a state; then it is left out.", above=0, most=LONG
    )
    teacher_expansions: int | None = _option(
        None,
        "Expanded states for a state; the same on every machine. Without --teacher never more than 10000 "
        "for the first teacher.",
        least=1,
        most=MANY,
    )
    epoch_expansions: int = _option(
        100_000,
        "Expanded states for a problem an epoch, the way from its initial state apart. The teacher is not "
        "asked about new states while it has had more in all.",
        least=1,
        most=MANY,
    )
    dead_end: float = _option(500.0, "What a dead end costs.", above=0, most=1e12)

    # Exploration
    rollouts: int = _option(
        140, "Rollouts of the policy in an epoch, for all problems.", least=1, most=MANY
    )
    max_steps: int = _option(50, "Actions of a rollout in training.", least=1, most=MANY)
    selection: Literal["sample", "best"] = _option(
        "best", "How rollouts choose an action: by its probability, or the most likely one."
    )
    consult: bool = _option(
        False,
        "Follow the teacher from each state that the policy passes, not only label the state.",
    )
    wander: int = _option(
        20,
        "As many rollouts of the teacher more, from where so many actions at most, drawn by chance, lead "
        "to. 0: none.",
        least=0,
        most=MANY,
    )
    workers: int = _option(0, "Processes that explore; 0: one for each core.", least=0, most=1024)

    # Optimisation
    loss: Literal["any-good", "article"] = _option(
        "any-good",
        "Cross-entropy to the uniform distribution over the good actions, or the article's binary "
        "cross-entropy.",
    )
    batch_size: int = _option(64, "States in a batch.", least=1, most=2**20)
    batches: int = _option(200, "Batches in an epoch.", least=1, most=MANY)
    learning_rate: float = _option(3e-3, "Of Adam, in the first epochs.", above=0, most=1e9)
    learning_rate_steps: str = _option(
        "", 'Later ones, as "EPOCH:RATE,...": after that epoch, that rate.'
    )
    l2: float = _option(1e-3, "Weight of half the squared weights (biases: 0.05 of it).", least=0)
    l1: float = _option(0.0, "Weight of the absolute weights.", least=0)
    average: float = _option(
        0.999,
        "The policy's weights are a running mean of the optimised ones, which keeps this share of "
        "itself after a batch; 0: no mean.",
        least=0,
        most=0.999999,
    )

    # The end
    time_limit: float = _option(1200.0, "Seconds for everything.", above=0, most=LONG)
    epochs: int = _option(1_000_000, "Epochs at most.", least=1, most=MANY)
    stop_after: int = _option(
        10,
        "Stop after so many epochs in a row in which enough rollouts reach the goal, those in "
        "validation if there are such problems.",
        least=1,
        most=MANY,
    )
    stop_success: float = _option(1.0, "Share of rollouts that is enough.", above=0, most=1)
    validation_steps: int = _option(300, "Actions of a rollout in validation.", least=1, most=MANY)
    validation_rollouts: int = _option(
        30, "Rollouts for each probabilistic validation problem.", least=1, most=MANY
    )

    seed: int = _option(0, "Equal seeds give equal weights.", least=0, most=2**62)
    tensorboard: bool = _option(False, "Write TensorBoard files too (needs tensorboard).")

    @property
    def features(self) -> dict[str, Any]:
        """What asnets.Features, Explorer and sample_batch take."""
        return {name: getattr(self, name) for name in FEATURES}

    @property
    def extra_inputs(self) -> int:
        """Inputs of an action beside the two of each slot."""
        return extra_inputs(self.features)

    def learning_rate_of(self, epoch: int) -> float:
        rate = self.learning_rate
        for after, later in parse_steps(self.learning_rate_steps):
            if epoch > after:
                rate = later
        return rate


# How the article's runs differ from the defaults
PAPER: dict[str, Any] = {
    "teacher": ARTICLE,
    "teacher_time": 10.0,
    "landmarks": "last-cut",
    "helpful": False,
    "last_action": False,
    "rollouts": 70,
    "selection": "sample",
    "batches": 700,
    "l2": 2e-4,
    "learning_rate": 1e-3,
    "average": 0.0,
    "consult": True,
    "wander": 0,
    "epoch_expansions": MANY,
    "stop_after": 20,
    "time_limit": 7200.0,
}
PRESETS: dict[str, dict[str, Any]] = {
    "default": {},
    "paper": PAPER,
    "extended-blocksworld": {**PAPER, "channels": 20, "dropout": 0.3, "rollouts": 150},
    "sparse": {
        **PAPER,
        "dropout": 0.0,
        "l2": 0.0,
        "l1": 1e-2,
        "learning_rate": 1e-2,
        "learning_rate_steps": "30:1e-3,40:1e-4",
        "epochs": 50,
        "stop_after": MANY,  # weights become fewer long after every rollout succeeds
    },
}

# What may change when a run goes on: none of these has a say in the weights of an epoch.
RESUMABLE = ("time_limit", "epochs", "stop_after", "stop_success", "workers", "tensorboard")


def parse_steps(text: str) -> list[tuple[int, float]]:
    """ "30:1e-3,40:1e-4" as pairs; ValueError if it is not so."""
    steps = []
    for each in filter(None, text.split(",")):
        epoch, _, rate = each.partition(":")
        steps.append((int(epoch), float(rate)))
        if not (steps[-1][1] > 0 and math.isfinite(steps[-1][1])):
            raise ValueError(text)
    if steps != sorted(steps):
        raise ValueError(text)
    return steps


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One flag a field; absent ones are not in the parsed namespace."""
    for each in fields(Options):
        flag = "--" + each.name.replace("_", "-")
        text = each.metadata["help"].replace("%", "%%")
        if each.type is bool:
            parser.add_argument(
                flag, action=argparse.BooleanOptionalAction, default=argparse.SUPPRESS, help=text
            )
            continue
        choices = _choices(each)
        if each.default is not None and each.default != "":
            text += f" [default: {each.default}]"
        if choices and len(choices) <= 5:
            text += f" One of: {', '.join(choices)}."
        parser.add_argument(
            flag,
            type=_converter(each),
            default=argparse.SUPPRESS,
            metavar=_kind(each).__name__.upper(),
            help=text,
        )


def _kind(each: dataclasses.Field[Any]) -> type:
    """int, float or str."""
    if get_origin(each.type) is Literal:
        return str
    options = [t for t in get_args(each.type) if t is not type(None)]
    kind = options[0] if options else each.type
    assert isinstance(kind, type)
    return kind


def _choices(each: dataclasses.Field[Any]) -> tuple[str, ...]:
    if get_origin(each.type) is Literal:
        return get_args(each.type)
    choices: tuple[str, ...] = each.metadata["choices"]
    return choices


def _converter(each: dataclasses.Field[Any]) -> Any:
    """Turns a flag's text into its value, or says what was expected."""
    kind = _kind(each)

    def convert(text: str) -> Any:
        try:
            value = kind(text)
        except ValueError:
            expected = "a whole number" if kind is int else "a number"
            raise argparse.ArgumentTypeError(f"expected {expected}, found {text!r}") from None
        problem = complaint(each, value)
        if problem:
            raise argparse.ArgumentTypeError(problem)
        return value

    return convert


def complaint(each: dataclasses.Field[Any], value: Any) -> str | None:
    """What is wrong with a value of a field."""
    choices = _choices(each)
    if value is None and each.default is None:
        return None
    if choices and value not in choices:
        return f"expected one of {', '.join(choices)}, found {value!r}"
    kind = _kind(each)
    if not isinstance(value, float | int if kind is float else kind):
        return f"expected {kind.__name__}, found {value!r}"
    if each.name == "learning_rate_steps":
        try:
            parse_steps(str(value))
        except ValueError:
            return f"expected EPOCH:RATE,... with rising epochs, found {value!r}"
    if not isinstance(value, float | int):
        return None
    least, most, above = (each.metadata[name] for name in ("least", "most", "above"))
    if not math.isfinite(value):
        return f"expected a finite number, found {value}"
    if least is not None and value < least:
        return f"expected at least {least}, found {value}"
    if above is not None and value <= above:
        return f"expected more than {above}, found {value}"
    if most is not None and value > most:
        return f"expected at most {most}, found {value}"
    return None


def make_options(preset: str, given: dict[str, Any]) -> Options:
    """A preset with what the user gave on top."""
    return Options(**{**PRESETS[preset], **given})


def option_table() -> str:
    """All options as a Markdown table, for docs/training.md."""
    lines = ["| option | default | meaning |", "|---|---|---|"]
    for each in fields(Options):
        name = "--" + each.name.replace("_", "-")
        if each.type is bool:
            name = f"--[no-]{name[2:]}"
        default = each.default if each.default not in (None, "") else "-"
        if isinstance(default, bool):
            default = "on" if default else "off"
        choices = _choices(each) if len(_choices(each)) <= 5 else ()
        meaning = each.metadata["help"] + (f" One of: {', '.join(choices)}." if choices else "")
        lines.append(f"| `{name}` | {default} | {meaning} |")
    return "\n".join(lines) + "\n"

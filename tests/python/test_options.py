"""The trainer's options: one dataclass, from which everything else derives."""

from dataclasses import asdict, fields
from pathlib import Path

import pytest

from asnets_train import command
from asnets_train.options import PRESETS, Options, make_options, option_table, parse_steps


def parsed(*arguments: str) -> dict[str, object]:
    return vars(command.parser("train").parse_args(["d.pddl", "p.pddl", *arguments]))


@pytest.mark.parametrize("each", fields(Options), ids=lambda each: each.name)
def test_every_option_has_a_flag_and_a_help(each, capsys) -> None:
    flag = "--" + each.name.replace("_", "-")
    with pytest.raises(SystemExit) as end:
        command.run(["--help"])
    assert end.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert flag in shown or flag.replace("--", "--no-") in shown
    assert " ".join(each.metadata["help"].split())[:30] in shown


def test_docs_have_the_same_table(root: Path) -> None:
    assert (root / "docs" / "training.md").read_text().endswith(option_table())


def test_preset_of_the_published_tables() -> None:
    options = make_options("paper", {})
    assert (options.layers, options.channels, options.dropout) == (2, 16, 0.1)
    assert (options.rollouts, options.max_steps, options.batches) == (70, 50, 700)
    assert (options.batch_size, options.learning_rate, options.l2) == (64, 1e-3, 2e-4)
    assert (options.landmarks, options.loss, options.dead_end) == ("last-cut", "any-good", 500)
    assert (options.counts, options.helpful, options.last_action) == (True, False, False)
    assert (options.stop_after, options.stop_success, options.teacher_time) == (20, 1, 10)
    assert (options.average, options.selection, options.time_limit) == (0, "sample", 7200)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_are_options(preset: str) -> None:
    options = make_options(preset, {"channels": 7})
    assert options.channels == 7
    assert asdict(options) == {**asdict(Options()), **PRESETS[preset], "channels": 7}


def test_learning_rates_by_epoch() -> None:
    options = make_options("sparse", {})
    rates = [options.learning_rate_of(epoch) for epoch in (1, 30, 31, 40, 41, 100)]
    assert rates == [1e-2, 1e-2, 1e-3, 1e-3, 1e-4, 1e-4]
    assert parse_steps("") == []


def test_what_is_not_given_is_not_parsed() -> None:
    assert "channels" not in parsed()
    assert parsed("--channels", "20", "--no-skip")["channels"] == 20
    assert parsed("--no-skip")["skip"] is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--channels", "0"], "argument --channels: expected at least 1, found 0"),
        (["--channels", "x"], "argument --channels: expected a whole number, found 'x'"),
        (["--dropout", "1"], "argument --dropout: expected at most 0.99, found 1.0"),
        (["--l2", "nan"], "argument --l2: expected a finite number, found nan"),
        (["--learning-rate", "0"], "argument --learning-rate: expected more than 0, found 0.0"),
        (["--pooling", "x"], "argument --pooling: expected one of slot, schema, found 'x'"),
        (
            ["--learning-rate-steps", "40:1e-3,30:1"],
            "argument --learning-rate-steps: expected EPOCH:RATE,... with rising epochs",
        ),
        (["--teacher", "x"], "argument --teacher: expected one of article, astar:h_add, "),
        (["--time-limit", "1e10"], "argument --time-limit: expected at most 1000000000.0, found "),
        (["--max-steps", "1" + 30 * "0"], "argument --max-steps: expected at most 2147483648, "),
        (["--preset", "x"], "argument --preset: invalid choice: 'x'"),
        (["--unknown"], "unrecognized arguments: --unknown"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        command.run(["d.pddl", "p.pddl", *arguments])
    assert end.value.code == 2
    shown = capsys.readouterr().err
    assert shown.startswith(f"python -m asnets_train: {message}")
    assert len(shown.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["d.pddl"],
        ["--resume"],
        ["d.pddl", "--resume"],
        ["--resume", "-o", "x.pt", "--preset", "paper"],
    ],
)
def test_arguments_that_are_missing(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        command.run(arguments)
    assert end.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1

"""The report of the article's experiment: what the tables say, from rows alone."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from benchmarks.article import record, tables
from benchmarks.article.protocol import DOMAINS
from benchmarks.article.report import write_report
from benchmarks.article.rows import DamagedError, Row, Rows
from benchmarks.article.summary import by_domain, compared

SVG = "{http://www.w3.org/2000/svg}"
MINER = "gold-miner"


def some_rows() -> list[Row]:
    return [
        Row(MINER, "LAMA-first", None, "7-2000", 0, True, 11.0, 2.0, "plan"),
        Row(MINER, "default", 1, "training", 0, True, None, 50.0, "4 epochs, time limit"),
        Row(MINER, "default", 1, "7-2000", 0, False, None, 0.25, "loop"),
        Row(MINER, "default", 0, "training", 0, True, None, 100.0, "7 epochs, time limit"),
        Row(MINER, "default", 0, "9-2000", 0, True, 12.0, 0.5, "goal"),
        Row(MINER, "default", 0, "7-2000", 0, True, 10.0, 0.25, "goal"),
        Row(MINER, "default", 0, "7-2001", 0, False, None, 0.25, "loop"),
        Row(MINER, "default, repeating", 0, "7-2000", 0, False, None, 0.25, "loop"),
        Row(MINER, "default, sampling", 0, "7-2000", 0, True, 10.0, 0.25, "goal"),
        Row(MINER, "default, sampling", 0, "7-2000", 1, True, 14.0, 0.25, "goal"),
        Row(MINER, "default, sampling", 0, "7-2000", 2, False, None, 0.25, "loop"),
        Row("triangle-tireworld", "LRTDP, h-add", None, "4-2000", 0, True, 9.0, 1.0, "solved"),
        Row("triangle-tireworld", "LRTDP, h-add", None, "4-2000", 1, False, None, 1.0, "solved"),
    ]


def written(folder: Path, rows: list[Row]) -> Path:
    """A folder with these rows, as a run leaves it."""
    kept = Rows(folder / "results.jsonl")
    for row in rows:
        kept.add(row)
    record.add(folder, record.this_call(["--seeds", "2", "-o", "a folder"], "small"))
    write_report(folder)
    return folder


def lines_of(file: Path, beginning: str) -> list[str]:
    return [line for line in file.read_text().splitlines() if line.startswith(beginning)]


def test_summary() -> None:
    found = by_domain(some_rows())
    assert list(found) == ["triangle-tireworld", MINER]
    network, second, repeating, sampling, lama = found[MINER]
    assert (network.coverage, network.problems, network.cost) == (2.0, 3, 11.0)
    assert network.curve_on(network.runs) == [(100, 0), (100.25, 1), (100.5, 1), (101, 2)]
    assert network.curve_on(["7-2000"]) == [(100, 0), (100.25, 1)]
    assert [each.training_seconds for each in (network, repeating, sampling)] == [100] * 3
    assert (repeating.configuration, repeating.coverage) == ("default", 0)
    assert (second.training_seed, second.coverage, second.training_seconds) == (1, 0.0, 50)
    assert round(sampling.coverage, 4) == 0.6667
    assert (lama.coverage, lama.is_baseline) == (1.0, True)
    assert lama.curve_on(lama.runs) == [(0, 0), (2, 1)]
    (lrtdp,) = found["triangle-tireworld"]
    assert (lrtdp.coverage, lrtdp.cost, lrtdp.cost_interval) == (0.5, 9.0, None)


def test_planners_are_compared_on_the_same_problems() -> None:
    results = by_domain(some_rows())[MINER]
    assert compared(results) == ["7-2000"]
    more = [*some_rows(), Row(MINER, "no skip", 0, "9-2000", 0, True, 1.0, 1.0, "goal")]
    assert compared(by_domain(more)[MINER]) == ["7-2000"]


def test_every_seed_is_shown(tmp_path: Path) -> None:
    folder = written(tmp_path, some_rows())
    for name in ("report.md", "summary.md"):
        text = (folder / name).read_text()
        assert "| planner | coverage | on the same 1 | article | mean cost |" in text
        assert (
            "| ASNet, seed 0 | 2/3 | 1/1 | 19/21 | 11.00 | -1.71 to 23.71 | 100 s | 1.0 s |\n"
            "| ASNet, seed 1 | 0/1 | 0/1 | 19/21 | - | - | 50 s | 0.2 s |\n"
            "| ASNet, repeating, seed 0 | 0/1 | 0/1 | 19/21 | - | - | 100 s | 0.2 s |\n"
            "| ASNet, sampling, seed 0 | 0.67/1 | 0.67/1 | 18.2/21 |"
        ) in text
        assert "| LAMA-first | 1/1 | 1/1 | 10/21 | 11.00 | - | - | 2.0 s |" in text
        assert "The baselines ran on 1 of them: 7-2000." in text
        assert "| Gold Miner /21 | 2/3, 0/1 | 0/1 | 0.67/1 | 19 | 18.2 |" in text
        assert "| Gold Miner /1 | 1, 0 | 0 | 0.67 | 1 (LAMA-first) |" in text
        assert "| LRTDP, h-add | 0.5/1 | 2.2/17 | 9.00 | - | - | 2.0 s |" in text


def test_every_problem(tmp_path: Path) -> None:
    text = (written(tmp_path, some_rows()) / "report.md").read_text()
    assert (
        "| problem | ASNet, seed 0 | ASNet, seed 1 | ASNet, repeating, seed 0 | ASNet, sampling, seed 0 "
        "| LAMA-first |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: |\n"
        "| 7-2000 | 10 | - | - | 12 ± 25.41 (2/3) | 11 |\n"
        "| 7-2001 | - |  |  |  |  |\n"
        "| 9-2000 | 12 |  |  |  |  |\n"
    ) in text
    assert "9-2000" not in (tmp_path / "summary.md").read_text()


def test_problem_cells() -> None:
    row = Row(MINER, "default", 0, "7-2000", 0, True, 10.0, 0.25, "goal")
    failed = replace(row, success=False, cost=None)
    assert tables.problem_cell([]) == ""
    assert tables.problem_cell([row]) == "10"
    assert tables.problem_cell([failed]) == "-"
    assert tables.problem_cell([failed] * 3) == "- (0/3)"
    assert tables.problem_cell([row] * 3) == "10 ± 0 (3/3)"
    assert tables.problem_cell([row, failed]) == "10 (1/2)"


def test_ablation_table(tmp_path: Path) -> None:
    assert tables.ablation_table(by_domain(some_rows())) is None
    tests = [f"{size}-{seed}" for size, seed in DOMAINS[MINER].test]
    rows = some_rows() + [
        Row(MINER, "1 layer", seed, name, 0, index % (seed + 2) > 0, 5.0, 1.0, "goal")
        for seed in range(3)
        for index, name in enumerate(tests)
    ]
    folder = written(tmp_path, rows)
    for name in ("report.md", "summary.md"):
        (row,) = lines_of(folder / name, "| 1 layer |")
        assert row == "| 1 layer | - (17) | 10, 14, 15 (21) |"
        (row,) = lines_of(folder / name, "| default |")
        assert row == "| default | - (17) | 2/3, 0/1 (19) |"
    assert len(lines_of(folder / "report.md", "| ASNet 1 layer, seed")) == 3
    # The planners' table and the curves are about the default.
    html = (folder / "report.html").read_text()
    figure = html[html.index('id="gold-miner"') : html.index('id="ablations"')]
    assert figure.count('class="curve ') == 4
    assert "1 layer" not in figure


def test_ablations_without_the_default(tmp_path: Path) -> None:
    folder = written(tmp_path, [Row(MINER, "no skip", 0, "7-2000", 0, True, 1.0, 1.0, "goal")])
    assert "| no skip | 1/1 (18) |" in (folder / "summary.md").read_text()
    assert not (folder / f"{MINER}.svg").exists()


def test_extended_table(tmp_path: Path) -> None:
    name = "extended-blocksworld"
    rows = [
        Row(name, "extended", 2, "training", 0, True, None, 3600.0, "9 epochs, time limit"),
        Row(name, "extended", 2, "50-t7-10000", 0, True, 150.0, 1.0, "goal"),
        Row(name, "extended", 2, "50-t7-10001", 0, False, None, 1.0, "loop"),
        Row(name, "extended", 2, "50-any-10000", 0, True, 160.0, 1.0, "goal"),
    ]
    folder = written(tmp_path, rows)
    for file in ("report.md", "summary.md"):
        text = (folder / file).read_text()
        assert "| 50 | 7 | 1/2 | 150.0 | 1,000/1,000 |" in text
        assert "| 50 | any | 1/1 | 160.0 | 100/100 |" in text
        assert "| all |  | 2/3 | 155.0 | 18,300/18,300 |" in text
        assert "Training: seed 2: 3,600 s (9 epochs, time limit)." in text
        assert "Unsolved: 50-t7-10001 (seed 2: loop)." in text
        assert "18 | 5 | 0/0 | - |" in text


def test_commands_machine_and_versions(tmp_path: Path) -> None:
    folder = written(tmp_path, some_rows())
    call = record.calls(folder)[0]
    assert call.versions["Python"]
    changed = replace(call, processor="Abacus 3", cores=1, commit="0123abc")
    (folder / "runs.jsonl").write_text(json.dumps(vars(changed)) + "\n")
    write_report(folder)
    for name in ("report.md", "summary.md", "report.html"):
        text = (folder / name).read_text()
        assert "python -m benchmarks.article --seeds 2 -o &#x27;a folder&#x27;" in text or (
            "    python -m benchmarks.article --seeds 2 -o 'a folder'\n" in text
        )
        assert "--time-limit 1200\nasnets evaluate" in text.replace("\n    ", "\n")
        for part in ("Abacus 3", "0123abc", f"numpy {call.versions['numpy']}", "seeds: 0, 1."):
            assert part in text
    assert call.processor == "Abacus 3" or call.processor not in text


def test_curves(tmp_path: Path) -> None:
    folder = written(tmp_path, some_rows())
    for name, curves in (("triangle-tireworld", 1), (MINER, 4)):
        root = ElementTree.parse(folder / f"{name}.svg").getroot()
        paths = root.findall(f"{SVG}path[{SVG}title]")
        assert len(paths) == curves
        texts = [each.text for each in root.findall(f"{SVG}text")]
        assert "seconds, training included" in texts
    assert {"ASNet (2 seeds)", "ASNet, sampling", "LAMA-first"} <= set(texts)
    looks = {path.get("stroke-dasharray") for path in paths}
    assert len(looks) == 3


def test_nothing_is_asked_for(tmp_path: Path) -> None:
    html = (written(tmp_path, some_rows()) / "report.html").read_text()
    assert html.count("<svg") == 2
    for outside in ("src=", "href=", "url(", "@import"):
        assert outside not in html


def test_a_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    rows = Rows(path)
    for run in range(2):
        rows.add(Row("d", "p", None, "1-0", run, True, 3.0, 0.5, "goal"))
    path.write_bytes(path.read_bytes()[:-10])
    again = Rows(path)
    assert [row.run for row in again] == [0]
    again.add(Row("d", "p", None, "1-0", 1, False, None, 0.5, "loop"))
    assert [json.loads(line)["run"] for line in path.read_text().splitlines()] == [0, 1]


def test_damaged_calls(tmp_path: Path) -> None:
    folder = written(tmp_path, some_rows())
    with (folder / "runs.jsonl").open("a") as file:
        file.write('{"command": 1}\n')
    with pytest.raises(DamagedError, match=r"runs.jsonl:2: expected a call; "):
        write_report(folder)

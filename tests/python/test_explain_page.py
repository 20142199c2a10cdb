"""The page of activations in Chromium, and the picture of a step: one file, as all its tests look at the
same few pages, which take a while to make."""

import re
import shutil
import struct
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import asnets
from asnets import generators
from asnets.errors import UsageError
from asnets.explain.drawing import Drawing
from asnets.explain.page import write_page
from asnets.explain.picture import write_picture
from asnets.explain.rollout import Rollout
from oracles.slow_network import Setting
from tasks import generated
from torch_networks import export_random

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
HOSTILE = ("</script><script>alert=1</script>", "\"&'<b>", "<!--<script>", "@data@")

VISIBLE = "all => all.filter(each => each.getBoundingClientRect().width > 0).length"
# Sizes in pixels of the screen: an SVG's own pixels may be smaller.
FONT_SIZES = """
() => [...document.querySelectorAll("body *")]
  .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim()))
  .filter(each => each.getClientRects().length && !["SCRIPT", "STYLE"].includes(each.tagName))
  .map(each => parseFloat(getComputedStyle(each).fontSize)
    * (each instanceof SVGElement ? each.getScreenCTM().a : 1))
"""
LUMINANCE = """
([selector, property]) => {
  const text = getComputedStyle(document.querySelector(selector)).getPropertyValue(property);
  const [red, green, blue] = text.match(/[0-9.]+/g).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With models of random weights."""
    result = tmp_path_factory.mktemp("pages")
    for domain in ("blocksworld", "triangle-tireworld"):
        text = generators.domain_text(domain)
        export_random(result / f"{domain}.pt", text, generated(domain, 3), Setting(), channels=16)
    return result


@pytest.fixture(scope="module")
def small(folder: Path) -> Drawing:
    rollout = Rollout(
        asnets.Policy(folder / "blocksworld.pt"), generated("blocksworld", 4), limit=6
    )
    assert len(rollout.run) == 6
    write_page(drawing := Drawing(rollout), folder / "small.html")
    return drawing


@pytest.fixture(scope="module")
def large(folder: Path) -> Drawing:
    task = generated("triangle-tireworld", 10)
    drawing = Drawing(Rollout(asnets.Policy(folder / "triangle-tireworld.pt"), task, seed=2))
    write_page(drawing, folder / "large.html")
    return drawing


@pytest.fixture(scope="module")
def browser() -> Iterator["playwright.Browser"]:
    with playwright.sync_playwright() as driver:
        # A sandbox needs rights that a container does not give; the page is our own.
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visit:
    """A page that was opened, with all it asked for and complained about."""

    def __init__(self, page: "playwright.Page", file: Path) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(file.as_uri())
        page.wait_for_selector("#radius option", state="attached")

    def text(self, selector: str) -> str:
        found = self.page.locator(selector)
        is_svg = found.evaluate("each => each instanceof SVGElement")
        return found.text_content() if is_svg else found.inner_text()

    def count(self, selector: str) -> int:
        return self.page.eval_on_selector_all(selector, VISIBLE)

    def luminance(self, selector: str, what: str) -> float:
        return self.page.evaluate(LUMINANCE, [selector, what])


Opener = Callable[..., Visit]


@pytest.fixture
def opened(browser: "playwright.Browser") -> Iterator[Opener]:
    contexts = []

    def open_page(
        file: Path, size: dict[str, int] = DESK, scheme: str = "light", touch: bool = False
    ) -> Visit:
        context = browser.new_context(
            viewport=size, color_scheme=scheme, has_touch=touch, is_mobile=touch
        )
        contexts.append(context)
        return Visit(context.new_page(), file)

    yield open_page
    for context in contexts:
        context.close()


def check_step(visit: Visit, drawing: Drawing, index: int) -> None:
    """Slider, label, outline, panel and path are those of this step."""
    actions = [action.name for action in drawing.rollout.run.actions]
    assert visit.page.locator("#slider").input_value() == str(index)
    if index == len(actions):
        assert visit.text("#position") == f"End, {len(actions)} steps"
        assert visit.count(".chosen") == visit.count("#actions li") == 0
    else:
        assert visit.text("#position") == f"Step {index + 1} of {len(actions)}"
        assert visit.text(".label") == actions[index]
        assert visit.text("#actions .is-chosen span:first-child") == actions[index]
        node = drawing.places[drawing.rollout.run.actions[index].index]
        outline, own = (
            visit.page.locator(each).bounding_box() for each in (".chosen", f"[data-node='{node}']")
        )
        for corner, side in (("x", "width"), ("y", "height")):
            centres = [box[corner] + box[side] / 2 for box in (outline, own)]
            assert centres[0] == pytest.approx(centres[1], abs=1)
            assert outline[side] > own[side]
    taken = actions[: index + 1]
    assert visit.count(".arrow") == sum(a != b for a, b in pairwise(taken))


@needs_chromium
def test_steps(opened: Opener, small: Drawing, folder: Path) -> None:
    visit = opened(folder / "small.html")
    check_step(visit, small, 0)
    for index, press in enumerate([*["ArrowRight"] * 3, "ArrowLeft"], 1):
        visit.page.keyboard.press(press)
        check_step(visit, small, index if index < 4 else 2)
    for press, index in (("End", 6), ("ArrowRight", 6), ("Home", 0), ("ArrowLeft", 0)):
        visit.page.keyboard.press(press)
        check_step(visit, small, index)
    visit.page.locator("#slider").fill("4")
    check_step(visit, small, 4)
    visit.page.locator("#slider").press("ArrowRight")
    check_step(visit, small, 5)
    visit.page.locator("#previous").click()
    visit.page.locator("#previous").click()
    check_step(visit, small, 3)
    assert visit.complaints == []


@needs_chromium
def test_panel(opened: Opener, small: Drawing, folder: Path) -> None:
    """The most likely actions first, and what the chosen one did."""
    visit = opened(folder / "small.html")
    step = small.rollout[0]
    shown = visit.page.locator("#actions li").all_inner_texts()
    names = [text.split("\n")[0] for text in shown]
    assert names == [action.name for action in step.probabilities][:8]
    shares = [float(re.search(r"([\d.]+) %", text)[1]) for text in shown]  # type: ignore[index]
    likely = [100 * share for share in step.probabilities.values()]
    assert shares == pytest.approx(likely[: len(shares)], abs=0.06)
    before, after = ({atom.strip("()") for atom in state} for state in small.rollout.run.states[:2])
    lines = visit.text("#outcome").split("\n")
    assert lines[0][0] == "+"
    assert set(lines[0][2:].split(", ")) == after - before
    assert set(lines[1][2:].split(", ")) == before - after


@needs_chromium
def test_colours(opened: Opener, small: Drawing, folder: Path) -> None:
    """White exactly where nothing could influence the decision; others on the scale."""
    visit = opened(folder / "small.html")
    fills = visit.page.eval_on_selector_all(
        ".node", "all => all.map(node => [...node.children].map(each => each.style.fill).reverse())"
    )
    means = small.frames[0].means
    colours = {}
    for i, node in enumerate(small.nodes):
        assert len(fills[i]) == (3 if node.kind == "action" else 2)
        for layer, fill in enumerate(fills[i]):
            assert (fill == "") == bool(means[i, layer] != means[i, layer]), node
            if fill and layer == 1:
                colours[float(means[i, layer])] = [int(part) for part in re.findall(r"\d+", fill)]
    luminances = [
        0.2126 * red + 0.7152 * green + 0.0722 * blue
        for _, (red, green, blue) in sorted(colours.items())
    ]
    assert len(set(luminances)) > 5
    assert all(a <= b + 1 for a, b in pairwise(luminances))


@needs_chromium
def test_filters(opened: Opener, small: Drawing, folder: Path) -> None:
    visit = opened(folder / "small.html")
    nodes = visit.count(".node")
    assert nodes == len(small.nodes) == len(small.graph.nodes)
    actions = visit.count(".node rect")
    assert actions == 3 * len(small.rollout.task.actions)
    visit.page.get_by_label("3, logits").uncheck()
    assert visit.count(".node rect") == actions * 2 / 3
    visit.page.get_by_label("3, logits").check()
    visit.page.get_by_label("unstack").uncheck()
    assert visit.count(".node") == nodes - 16
    visit.page.get_by_label("clear").uncheck()
    assert visit.count(".node") == nodes - 16 - 4
    assert visit.text("#count") == f"Shows {nodes - 20} of {nodes} nodes"


@needs_chromium
def test_neighbourhood(opened: Opener, large: Drawing, folder: Path) -> None:
    """Of a large problem a part, which can be widened."""
    visit = opened(folder / "large.html")
    counts = [visit.count(".node")]
    assert len(large.graph.nodes) == 1370
    assert 10 < counts[0] < 200
    assert visit.text("#count") == f"Shows {counts[0]} of 600 nodes, the nearest of 1370"
    options = visit.page.locator("#radius option").evaluate_all("all => all.map(o => o.value)")
    begin = options.index(visit.page.locator("#radius").input_value())
    for value in options[begin + 1 :]:
        visit.page.locator("#radius").select_option(value)
        counts.append(visit.count(".node"))
    assert counts == sorted(counts)
    assert counts[-1] == 600
    visit.page.locator("#radius").select_option("1")
    applicable = len(large.frames[0].probabilities)
    assert visit.count(".node rect:first-child") == applicable
    assert visit.complaints == []


@needs_chromium
def test_pointing(opened: Opener, small: Drawing, folder: Path) -> None:
    visit = opened(folder / "small.html")
    assert visit.page.locator("#details").is_hidden()
    action = small.rollout.run.actions[0]
    visit.page.locator(f"[data-node='{small.places[action.index]}']").hover()
    text = visit.text("#details")
    frame = small.frames[0]
    values = frame.values[0][small.places[action.index]]
    assert text.startswith(action.name)
    assert "applicable\tyes" in text
    assert "count\t0" in text
    for atom in action.precondition.positive:
        assert f"{atom.name}\ttrue" in text
    cells = visit.page.locator("#details .cells").last.locator("span").all_inner_texts()
    assert [float(cell) for cell in cells] == pytest.approx(values.tolist(), abs=0.011)
    visit.page.mouse.move(5, 5)
    assert visit.page.locator("#details").is_hidden()
    place = next(i for i, node in enumerate(small.nodes) if node.kind == "proposition")
    visit.page.locator(f"[data-node='{place}']").click()
    visit.page.mouse.move(5, 5)
    assert visit.text("#details h3") == small.nodes[place].name
    visit.page.keyboard.press("ArrowRight")
    assert visit.page.locator("#details").is_visible()
    visit.page.keyboard.press("Escape")
    assert visit.page.locator("#details").is_hidden()
    visit.page.locator("#actions button").first.click()
    assert visit.text("#details h3") == small.rollout.run.actions[1].name


@needs_chromium
def test_zoom(opened: Opener, small: Drawing, folder: Path) -> None:
    visit = opened(folder / "small.html")

    def width() -> float:
        return visit.page.locator("#nodes").bounding_box()["width"]

    whole = width()
    visit.page.locator("#closer").click()
    assert width() > 1.3 * whole
    visit.page.locator("#fit").click()
    assert width() == pytest.approx(whole, rel=0.01)
    visit.page.mouse.move(400, 400)
    visit.page.mouse.wheel(0, -300)
    visit.page.wait_for_timeout(50)
    assert width() > 1.3 * whole
    left = visit.page.locator("#nodes").bounding_box()["x"]
    visit.page.mouse.down()
    visit.page.mouse.move(450, 400)
    visit.page.mouse.up()
    assert visit.page.locator("#nodes").bounding_box()["x"] == pytest.approx(left + 50, abs=8)


@needs_chromium
def test_phone(opened: Opener, small: Drawing, folder: Path) -> None:
    visit = opened(folder / "small.html", PHONE, touch=True)
    assert visit.page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    visit.page.locator("#next").tap()
    check_step(visit, small, 1)
    node = small.places[small.rollout.run.actions[1].index]
    visit.page.locator(f"[data-node='{node}']").tap()
    assert visit.text("#details h3") == small.rollout.run.actions[1].name
    box = visit.page.locator("#details").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    assert min(visit.page.evaluate(FONT_SIZES)) >= 11
    visit.page.locator(".close").tap()
    assert visit.page.locator("#details").is_hidden()
    assert visit.complaints == []


@needs_chromium
def test_two_fingers(opened: Opener, small: Drawing, folder: Path) -> None:
    visit = opened(folder / "small.html", PHONE, touch=True)
    session = visit.page.context.new_cdp_session(visit.page)

    def touch(kind: str, *xs: int) -> None:
        points = [{"x": x, "y": 300, "id": i} for i, x in enumerate(xs)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    before = visit.page.locator("#nodes").bounding_box()["width"]
    touch("touchStart", 180, 220)
    for way in range(5, 45, 5):
        touch("touchMove", 180 - way, 220 + way)
    touch("touchEnd")
    assert visit.page.locator("#nodes").bounding_box()["width"] > 2 * before
    assert visit.page.locator("#details").is_hidden()


@needs_chromium
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_text_can_be_read(opened: Opener, small: Drawing, folder: Path, size: dict) -> None:
    visit = opened(folder / "small.html", size)
    visit.page.locator("summary").click()
    visit.page.locator("#actions button").first.click()
    for press in ("", "#closer", "#further", "#further", "#further"):
        if press:
            visit.page.locator(press).click()
        sizes = visit.page.evaluate(FONT_SIZES)
        assert len(sizes) > 30
        assert min(sizes) >= 10.99


@needs_chromium
def test_light_and_dark(opened: Opener, small: Drawing, folder: Path) -> None:
    light, dark = (opened(folder / "small.html", scheme=s) for s in ("light", "dark"))
    for text, what in (("body", "color"), (".note", "color"), (".label", "fill")):
        assert light.luminance("body", "background-color") - light.luminance(text, what) > 0.5
        assert dark.luminance(text, what) - dark.luminance("body", "background-color") > 0.5
    assert light.luminance(".module", "fill") == light.luminance("body", "background-color") > 0.99
    assert dark.luminance(".module", "fill") == dark.luminance("body", "background-color") < 0.2


@needs_chromium
def test_nothing_but_the_file_is_asked_for(
    opened: Opener, small: Drawing, large: Drawing, folder: Path
) -> None:
    for name in ("small", "large"):
        file = folder / f"{name}.html"
        visit = opened(file)
        visit.page.keyboard.press("End")
        visit.page.wait_for_load_state("networkidle")
        assert visit.requests == [file.as_uri()]
        assert visit.complaints == []
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", file.read_text())


@needs_chromium
def test_hostile_names(opened: Opener, folder: Path) -> None:
    first, second, third, fourth = HOSTILE
    problem = f"""(define (problem {first}) (:domain blocks)
      (:objects {" ".join(HOSTILE)} - block)
      (:init (handempty) {" ".join(f"(ontable {each}) (clear {each})" for each in HOSTILE)})
      (:goal (and (on {first} {second}) (on {third} {fourth}))))"""
    task = asnets.ground_text(generators.domain_text("blocksworld"), problem)
    drawing = Drawing(Rollout(asnets.Policy(folder / "blocksworld.pt"), task, limit=4))
    write_page(drawing, folder / "hostile.html")
    visit = opened(folder / "hostile.html")
    assert visit.page.title() == visit.text("h1") == first
    assert visit.page.evaluate("typeof alert") == "function"
    assert visit.page.locator("script").count() == 2
    assert visit.page.locator("b").count() == 0
    check_step(visit, drawing, 0)
    for action in drawing.rollout.task.actions:
        if action.name == f"pick-up {first}":
            visit.page.locator(f"[data-node='{drawing.places[action.index]}']").hover()
    assert visit.text("#details h3") == f"pick-up {first}"
    assert visit.complaints == []


@needs_chromium
def test_no_decision(opened: Opener, folder: Path) -> None:
    """The goal holds at once; there may be no action at all."""
    for i, atoms in enumerate(("(ontable a) (clear a)", "")):
        problem = f"""(define (problem p) (:domain blocks) (:objects a - block)
          (:init (handempty) {atoms}) (:goal (handempty)))"""
        task = asnets.ground_text(generators.domain_text("blocksworld"), problem)
        drawing = Drawing(Rollout(asnets.Policy(folder / "blocksworld.pt"), task))
        write_page(drawing, folder / f"none{i}.html")
        visit = opened(folder / f"none{i}.html")
        assert visit.text("#decision") == "Goal reached"
        assert bool(visit.count(".node")) == bool(atoms)
        check_step(visit, drawing, 0)
        assert visit.complaints == []
        with pytest.raises(UsageError, match="--step 1: the run has 0 steps"):
            write_picture(drawing, folder / "none.png")


def test_size_of_a_page(large: Drawing, folder: Path) -> None:
    """Triangle Tireworld 10, for a run of 60 steps."""
    assert (folder / "large.html").stat().st_size / len(large.rollout) * 61 < 5_000_000


def test_picture(small: Drawing, large: Drawing, tmp_path: Path) -> None:
    for drawing in (small, large):
        file = tmp_path / "step.png"
        write_picture(drawing, file, step=len(drawing.rollout.run))
        data = file.read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", data[16:24])
        assert width == 1400
        assert 500 <= height <= 2000
        assert 20_000 < len(data) < 3_000_000
    with pytest.raises(UsageError, match="--step 7: the run has 6 steps"):
        write_picture(small, tmp_path / "step.png", step=7)


def test_picture_needs_matplotlib(
    small: Drawing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(
        UsageError, match=r"^this needs matplotlib.*: pip install 'asnets\[explain\]'$"
    ):
        write_picture(small, tmp_path / "step.png")
    assert not list(tmp_path.iterdir())

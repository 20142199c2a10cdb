"""The report's page in Chromium, as a reader sees it: on a desk and on a phone, in the light and in the
dark."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.article import baselines, extended
from benchmarks.article.protocol import ABLATIONS, DOMAINS, REPEATING, SAMPLING, Domain
from benchmarks.article.rows import Row

from test_article_report import written

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SEEDS = range(2)

# Sizes in pixels of the screen: an SVG's own pixels may be smaller.
FONT_SIZES = """
elements => elements.map(element => {
  const svg = element.closest("svg");
  const scale = svg ? element.getScreenCTM().a : 1;
  return parseFloat(getComputedStyle(element).fontSize) * scale;
})
"""
BOXES = "elements => elements.map(each => each.getBoundingClientRect().toJSON())"
LUMINANCE = """
([selector, property]) => {
  const text = getComputedStyle(document.querySelector(selector)).getPropertyValue(property);
  const [red, green, blue] = text.match(/[0-9.]+/g).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
"""


def rows_of(domain: Domain) -> Iterator[Row]:
    """All planners on three problems; LRTDP and SSiPP, A* and GBF solve none."""
    problems = [f"{size}-{seed}" for size, seed in domain.test[:3]]
    for seed in SEEDS:
        for name in ABLATIONS:
            training = (domain.name, name, seed, "training", 0, True, None, 300.0 + 200 * seed)
            yield Row(*training, "9 epochs, time limit")
            for suffix in ("", REPEATING, SAMPLING):
                for i, problem in enumerate(problems):
                    key = (domain.name, name + suffix, seed, problem, 0)
                    yield Row(*key, i < 2, 20.0 + i, 0.5, "goal")
    for planner in baselines.names(domain):
        for problem in problems:
            solved = planner.startswith("LAMA")
            yield Row(domain.name, planner, None, problem, 0, solved, 30.0, 5.0, "plan")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [row for domain in DOMAINS.values() for row in rows_of(domain)]
    rows += [
        Row(extended.NAME, extended.PLANNER, 0, f"{stratum.name}-10000", 0, True, 9.0, 1.0, "goal")
        for stratum in extended.STRATA
    ]
    return written(tmp_path_factory.mktemp("article"), rows) / "report.html"


@pytest.fixture(scope="module")
def browser() -> Iterator["playwright.Browser"]:
    with playwright.sync_playwright() as driver:
        # A sandbox needs rights that a container does not give; the page is our own.
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Visit:
    """A page that was opened, with all it asked for and complained about."""

    def __init__(
        self, browser: "playwright.Browser", file: Path, size: dict[str, int], scheme: str = "light"
    ) -> None:
        self.page = browser.new_page(viewport=size, color_scheme=scheme)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(file.as_uri(), wait_until="networkidle")
        for details in self.page.locator("summary").all():
            details.click()

    def all(self, selector: str, script: str) -> list:
        return self.page.eval_on_selector_all(selector, script)

    def luminance(self, selector: str, what: str) -> float:
        return self.page.evaluate(LUMINANCE, [selector, what])


@pytest.fixture(scope="module")
def desk(browser: "playwright.Browser", report: Path) -> Visit:
    return Visit(browser, report, DESK)


@pytest.fixture(scope="module")
def phone(browser: "playwright.Browser", report: Path) -> Visit:
    return Visit(browser, report, PHONE)


def test_nothing_but_the_file_is_asked_for(desk: Visit, phone: Visit, report: Path) -> None:
    for visit in (desk, phone):
        assert visit.requests == [report.as_uri()]
        assert visit.complaints == []


def test_requests_and_complaints_would_be_noticed(
    browser: "playwright.Browser", report: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "page.html"
    picture = (
        '<img src="http://127.0.0.1:9/picture.png"><script>console.error("oh")</script></body>'
    )
    outside.write_text(report.read_text().replace("</body>", picture))
    visit = Visit(browser, outside, DESK)
    assert "http://127.0.0.1:9/picture.png" in visit.requests
    assert "oh" in visit.complaints


@pytest.mark.parametrize("name", DOMAINS)
def test_curves_are_visible(desk: Visit, phone: Visit, name: str) -> None:
    planners = baselines.names(DOMAINS[name])
    for visit in (desk, phone):
        titles = visit.all(f"#{name} path.curve title", "all => all.map(each => each.textContent)")
        networks = [f"ASNet{how}, seed {seed}" for how in ("", SAMPLING) for seed in SEEDS]
        assert titles == [*networks, *planners]
        boxes = visit.all(f"#{name} path.curve", BOXES)
        (plot,) = visit.all(f"#{name} svg", BOXES)
        for title, box in zip(titles, boxes, strict=True):
            assert box["width"] > 15, title
            assert (box["height"] > 50) == title.startswith(("ASNet", "LAMA")), title
            assert plot["left"] <= box["left"] <= box["right"] <= plot["right"]
            assert plot["top"] <= box["top"] <= box["bottom"] <= plot["bottom"]
        looks = visit.all(
            f"#{name} path.sample",
            "all => all.map(each => [getComputedStyle(each).stroke, "
            "getComputedStyle(each).strokeDasharray])",
        )
        assert len({tuple(each) for each in looks}) == len(looks) == 2 + len(planners)
        assert (
            len({stroke for stroke, _ in looks}) == len({dash for _, dash in looks}) == len(looks)
        )


def test_text_of_curves_stays_inside_and_apart(phone: Visit) -> None:
    for name in DOMAINS:
        (plot,) = phone.all(f"#{name} svg", BOXES)
        boxes = phone.all(f"#{name} svg text", BOXES)
        for i, box in enumerate(boxes):
            assert plot["left"] - 0.5 <= box["left"] < box["right"] <= plot["right"] + 0.5
            for other in boxes[:i]:
                apart_x = box["left"] >= other["right"] or other["left"] >= box["right"]
                apart_y = box["top"] >= other["bottom"] - 4 or other["top"] >= box["bottom"] - 4
                assert apart_x or apart_y, name


@pytest.mark.parametrize("name", DOMAINS)
def test_tables(desk: Visit, name: str) -> None:
    domain = DOMAINS[name]
    texts = desk.all(
        f"#{name} tr", "all => all.map(row => [...row.cells].map(cell => cell.innerText))"
    )
    rows = {row[0]: row[1:] for row in texts}
    published = f"{domain.published('default'):g}/{len(domain.test)}"
    for seed, seconds in zip(SEEDS, ("300 s", "500 s")):
        assert rows[f"ASNet, seed {seed}"] == [
            "2/3", published, "20.50", "14.15 to 26.85", seconds, "1.5 s",
        ]  # fmt: skip
    for planner in baselines.names(domain):
        assert rows[planner][0] == ("3/3" if planner.startswith("LAMA") else "0/3")
    problem = f"{domain.test[0][0]}-{domain.test[0][1]}"
    assert rows[problem][0] == "20"


def test_ablations_and_extended(desk: Visit) -> None:
    cells = "all => all.map(row => row.cells.length + ' ' + row.cells[0].innerText)"
    rows = desk.all("#ablations > .wide tr", cells)
    names = [name + way for name in ABLATIONS for way in ("", REPEATING)]
    assert rows == ["8 configuration", *(f"8 {name}" for name in names)]
    rows = desk.all("#extended tr", "all => all.map(row => row.innerText)")
    assert len(rows) == 1 + len(extended.STRATA) + 1
    assert rows[-1].split("\t") == ["all", "", "18/18", "9.0", "18,300/18,300"]


def test_phone(phone: Visit) -> None:
    """Tables scroll in their own boxes, the page does not, and text can be read."""
    width = phone.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width == [390, 390]
    wide = phone.all(
        ".wide", "all => all.map(each => [each.scrollWidth, each.clientWidth, each.offsetWidth])"
    )
    assert any(inner > outer for inner, outer, _ in wide)
    assert all(whole <= 390 for _, _, whole in wide)
    for selector in ("td", "th", "svg text", "p", "code"):
        sizes = phone.all(selector, FONT_SIZES)
        assert sizes, selector
        assert min(sizes) >= 12, selector


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_light_and_dark(browser: "playwright.Browser", report: Path, size: dict[str, int]) -> None:
    light, dark = (Visit(browser, report, size, scheme) for scheme in ("light", "dark"))
    for text in ("body", "td", ".note", "svg text"):
        what = "fill" if "svg" in text else "color"
        assert light.luminance("body", "background-color") - light.luminance(text, what) > 0.5
        assert dark.luminance(text, what) - dark.luminance("body", "background-color") > 0.5
    for i in range(7):
        curve = f".curve{i}"
        if light.page.locator(curve).count():
            assert (
                light.luminance("body", "background-color") - light.luminance(curve, "stroke") > 0.4
            )
            assert (
                dark.luminance(curve, "stroke") - dark.luminance("body", "background-color") > 0.4
            )


def test_figures_alone(browser: "playwright.Browser", report: Path) -> None:
    """The SVG files bring their colours."""
    for scheme, is_dark in (("light", False), ("dark", True)):
        visit = Visit(browser, report.with_name("blocksworld.svg"), PHONE, scheme)
        assert visit.complaints == []
        assert (visit.luminance(".paper", "fill") < 0.5) == is_dark
        assert (visit.luminance("text", "fill") > 0.5) == is_dark
        assert min(visit.all("text", FONT_SIZES)) >= 12

"""The page in a browser: it shows the game, moves through it, and follows links."""

import json
import re

import pytest

from agemonia_env.files.embedded import extract
from agemonia_env.review.page import page_of
from tests.browser import chromium

STEP = "document.getElementById('where').textContent"


def text_of(browser, selector):
    return browser.read(f"document.querySelector({json.dumps(selector)}).textContent")


class Shown:
    """A review in a page of the browser."""

    def __init__(self, page):
        self.page, self.errors = page, []
        page.on("pageerror", lambda error: self.errors.append(error))
        self.read, self.wait = page.evaluate, page.wait_for_function
        self.press, self.click = page.keyboard.press, page.mouse.click

    def open(self, path, fragment=""):
        """Open a file, and wait until it has shown itself."""
        self.page.goto("about:blank")
        self.page.goto(f"{path.as_uri()}{fragment}")
        self.page.wait_for_selector("html[data-ready=yes]")


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        size = {"width": 1200, "height": 900}
        shown = Shown(started.new_context(offline=True, viewport=size).new_page())
        yield shown
        assert shown.errors == []


@pytest.fixture(
    params=[("Agemonia-v0", "ford", "generalist"), ("HexDungeon-v0", "warm-cellar", "greedy")]
)
def game(request, review):
    """(record, path) of an analysed game of each ruleset."""
    _, path = review(*request.param)
    return extract(path), path


def shown_step(browser):
    return int(re.match(r"Step (\d+) of", browser.read(STEP))[1])


def test_a_link_opens_its_step(browser, game):
    record, path = game
    browser.open(path, "#step=9")
    step = record["steps"][9]
    assert shown_step(browser) == 9
    assert text_of(browser, "#decision h3") == step["question"]
    texts = browser.read("[...document.querySelectorAll('.option .name')].map(e => e.textContent)")
    assert texts == step["texts"]
    chosen = browser.read("document.querySelector('.option.chosen').textContent")
    assert chosen.startswith(f"{step['text']}▶ chosen")
    assert "win rate" in chosen
    title = re.search(r">([^<]+)</text>", "".join(record["boards"]["lines"]))[1]
    assert title in text_of(browser, "#board svg")
    assert text_of(browser, "h1") == record["title"]


def test_keys_buttons_and_the_slider_move_and_the_address_follows(browser, game):
    record, path = game
    last = len(record["steps"])
    browser.open(path)
    assert shown_step(browser) == 0
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last)):
        browser.press(key)
        assert shown_step(browser) == step
        assert browser.read("location.hash") == f"#step={step}"
    assert record["result"] in text_of(browser, "#decision")
    browser.press("PageUp")
    turn = shown_step(browser)
    assert 0 < turn < last
    browser.press("PageDown")
    assert shown_step(browser) == last
    browser.press("Home")
    browser.read("document.getElementById('next').click()")
    assert shown_step(browser) == 1
    slide = "(s => {s.value = 4; s.dispatchEvent(new Event('input'))})"
    browser.read(f"{slide}(document.getElementById('slider'))")
    assert shown_step(browser) == 4
    browser.read("document.getElementById('slider').focus()")
    browser.press("PageDown")  # a turn, also from the slider
    assert shown_step(browser) in browser.read("turns.map(turn => turn.step)")


def test_space_plays_and_pauses(browser, game):
    _, path = game
    browser.open(path)
    browser.read("document.getElementById('speed').value = '300'")
    browser.press("Space")
    assert "Pause" in text_of(browser, "#play")
    browser.wait(f"{STEP}.startsWith('Step 2 ')")
    browser.press("Space")
    assert "Play" in text_of(browser, "#play")
    browser.press("Space")
    choose = "(s => {s.selectedIndex = 1; s.dispatchEvent(new Event('change'))})"
    browser.read(f"{choose}(document.getElementById('turns'))")
    assert "Play" in text_of(browser, "#play")  # whoever goes somewhere wants to stay there


def test_turns_the_log_the_costs_and_the_curve_lead_to_steps(browser, game):
    record, path = game
    browser.open(path)
    browser.read(
        "(s => {s.selectedIndex = 2; s.dispatchEvent(new Event('change'))})"
        "(document.getElementById('turns'))"
    )
    assert shown_step(browser) == browser.read("turns[2].step")
    browser.read("document.querySelector('#log [data-step=\"7\"] a').click()")
    browser.wait(f"{STEP}.startsWith('Step 7 ')")
    assert browser.read("document.querySelector('[aria-current]').dataset.step") == "7"
    if browser.read("document.querySelectorAll('#costs a').length"):
        browser.read("document.querySelector('#costs a').click()")
        costs = [one.get("cost", [0])[0] for one in record["judged"]]
        browser.wait(f"{STEP}.startsWith('Step {costs.index(max(costs))} ')")
    browser.read("document.getElementById('curve').scrollIntoView({block: 'center'})")
    box = browser.read("document.querySelector('#curve svg').getBoundingClientRect().toJSON()")
    browser.click(box["x"] + 0.985 * box["width"], box["y"] + box["height"] / 2)
    assert shown_step(browser) > 0.9 * len(record["steps"])


def test_skill_and_luck_are_those_of_the_record(browser, game):
    record, path = game
    browser.open(path)
    luck = round(100 * record["totals"]["luck"][0])
    shown = text_of(browser, "#luck table").replace("−", "-")
    assert re.search(rf"Luck: dice, cards and what was hidden[+-]?{abs(luck)}\b|\+0\.|-0\.", shown)
    assert "±" in shown


def test_the_command_for_a_step_is_the_one_that_plays_on(browser, game):
    record, path = game
    browser.open(path, "#step=3")
    quoted = f"'{path.name}'" if " " in path.name else path.name
    assert text_of(browser, "#fork") == f"agemonia review --fork {quoted} --step 3"
    name = "AgemoniaEnv" if record["game"]["env_id"] == "Agemonia-v0" else "HexDungeonEnv"
    assert text_of(browser, "#python") == f'{name}.from_review("{path.name}", step=3)'


@pytest.mark.parametrize("fragment", ["#step=99999", "#step=x", "#nonsense", "#step=-1"])
def test_odd_links_open_the_game_all_the_same(browser, game, fragment):
    record, path = game
    browser.open(path, fragment)
    assert shown_step(browser) == (len(record["steps"]) if "9" in fragment else 0)


def test_a_phone_shows_one_column_without_scrolling_sideways(browser, game):
    _, path = game
    before = browser.page.viewport_size
    browser.page.set_viewport_size({"width": 390, "height": 844})
    try:
        browser.open(path, "#step=5")
        assert browser.read("document.documentElement.scrollWidth") == 390
        place = "document.querySelector('{}').getBoundingClientRect().{}"
        below = browser.read(place.format("#decision", "top"))
        assert below >= browser.read(place.format("#board", "bottom"))
        small = browser.read(
            "[...document.querySelectorAll('.controls button, .controls select')]"
            ".filter(e => e.getBoundingClientRect().height < 36).length"
        )
        assert small == 0
    finally:
        browser.page.set_viewport_size(before)


def test_every_control_has_a_name(browser, game):
    _, path = game
    browser.open(path)
    nameless = browser.read(
        "[...document.querySelectorAll('button, input, select, a')].filter(e => "
        "!(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label'))).length"
    )
    assert nameless == 0


def test_a_game_that_is_not_analysed_is_shown_without_the_empty_parts(browser, game, tmp_path):
    record, _ = game
    path = tmp_path / "plain.html"
    plain = record | {"judged": [], "totals": {}, "effort": record["effort"] | {"rollouts": 0}}
    path.write_text(page_of(plain), encoding="utf-8")
    browser.open(path, "#step=2")
    assert shown_step(browser) == 2
    for part in ("curve-part", "costs-part", "luck-part"):
        assert browser.read(f"document.getElementById('{part}').hidden")


def test_a_damaged_file_says_so(browser, game, tmp_path):
    _, path = game
    text = path.read_text(encoding="utf-8")
    at = text.index('id="record">') + 400
    damaged = tmp_path / "damaged.html"
    damaged.write_text(text[:at] + text[at + 400 :], encoding="utf-8")
    browser.page.goto(damaged.as_uri())
    browser.wait("document.getElementById('problem')?.hidden === false")
    assert "cannot be shown" in text_of(browser, "#problem")

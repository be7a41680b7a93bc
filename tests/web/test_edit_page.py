"""The editor page, used as a person uses it."""

import pytest

from tests.browser import violations
from tests.web.test_play_page import ASTRAY, OPEN_ALL

PLAYED = """() => document.querySelector("#verdict")?.dataset.met
    && document.querySelector(".result").getAttribute("aria-busy") === "false" """
PATIENCE = 120_000  # milliseconds, on a busy machine


@pytest.fixture
def address(site_address):
    return f"{site_address}edit.html"


@pytest.fixture
def page(browser):
    """A page that fails the test when a script in it does."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    failed = []
    opened.on("pageerror", lambda error: failed.append(str(error)))
    yield opened
    context.close()
    assert failed == []


def measured(page):
    """Wait until the games are played -> the win rate of B in percent, and the verdict."""
    page.wait_for_timeout(400)  # after a change the page waits a moment, too
    page.wait_for_function(PLAYED)
    rate = page.inner_text("#rate-b .share")
    return float(rate.split()[0]), page.get_attribute("#verdict", "data-met")


def test_a_scenario_that_is_too_hard_is_repaired_with_the_form(page, address):
    page.goto(f"{address}#example=hard")
    rate, met = measured(page)
    assert rate < 40
    assert met == "no"
    page.select_option("#measure-pairs", label="5,000")
    page.click("#at-difficulty-normal > summary")
    for _ in range(2):
        page.click("#at-difficulty-normal-health-less")
    rate, met = measured(page)
    assert 57 <= rate <= 63
    assert met in ("yes", "perhaps")
    assert "health = 1" in page.inner_text("#changes")


@pytest.mark.parametrize("pack", ["Core", "Hex Core"])
def test_an_unchanged_pack_has_not_missed_a_target(page, address, pack):
    page.goto(address)
    page.wait_for_selector("#form .field")
    page.select_option("#pack", pack)
    _, met = measured(page)
    assert met == "unchanged"
    text = page.inner_text("#verdict")
    assert text.startswith("Unchanged, the win rate lies ")
    sign = "getComputedStyle(document.querySelector('#verdict'), '::before').content"
    assert page.evaluate(sign) == "none"


def test_a_mistake_is_shown_at_its_field_and_stops_play(page, address):
    page.goto(address)
    measured(page)
    page.fill("#search", "reedling")
    page.click("#cards button")
    page.fill("#at-card-provoke", "120")
    page.press("#at-card-provoke", "Tab")
    page.wait_for_selector("#mistakes .mistakes")
    assert "must be less than or equal to 99" in page.inner_text(".field.mistaken")
    assert page.get_attribute("#play", "href") is None
    assert page.get_attribute("#play", "aria-disabled") == "true"
    page.click("#mistakes button")
    assert page.evaluate("document.activeElement.id") == "at-card-provoke"
    page.click(".field.mistaken .mark button")
    assert measured(page)
    assert page.inner_text("#changes").startswith("None yet")


def test_what_is_in_use_stays_when_the_form_is_drawn_again(page, address):
    page.goto(address)
    measured(page)
    provoke, health = "#at-card-provoke", "#at-card-health-per_hero"
    before = int(page.input_value(health))
    page.fill(provoke, "7")
    page.click(f"{health}-more")  # the field before it changes when this one is pressed
    assert int(page.input_value(health)) == before + 1
    page.fill(provoke, "9")
    page.press(provoke, "Tab")
    assert page.evaluate("document.activeElement.id") == f"{provoke[1:]}-more"
    page.click(f"{health}-more")
    page.focus(provoke)
    page.keyboard.press("End")
    page.keyboard.type("5")
    measured(page)
    assert (page.input_value(provoke), page.input_value(health)) == ("95", str(before + 2))


def test_entries_of_lists_have_names(page, address):
    page.goto(address)
    page.fill("#search", "initiative")
    page.click("#cards button")
    assert (
        page.locator("#form .entry > summary").first.inner_text().startswith("cards 0 bars enemy")
    )
    page.click("#form .entry > summary")
    assert (
        page.locator("#form .entry .entry > summary").first.inner_text().startswith("bars 0 enemy")
    )


def test_an_interval_that_says_nothing_is_not_shown(page, address):
    page.goto(address)
    texts = page.evaluate("""import("./edit/numbers.mjs").then(({ points, range }) => [
        range([0, 1]), range([-0.3, 0.25], points), range([0.2, 0.4]), range([-0.1, 0], points),
    ])""")
    nothing = "too few games"
    assert texts == [nothing, nothing, "20.0 to 40.0", "−10.0 to +0.0"]


def test_an_area_is_drawn_and_walled_off(page, address):
    page.goto(f"{address}#example=hard")
    measured(page)
    page.select_option("#brush", label="Draw a new area")
    page.click('.cells [data-x="6"][data-y="3"]')
    page.select_option("#border-F", "barrier")
    measured(page)
    text = page.inner_text("#changes")
    assert 'map.rows[3] = "EEEFFFMGGHHH"' in text
    assert '"kind": "barrier"' in text
    assert "Area M" in page.inner_text("#board-text") or "Area M" in page.inner_html("#board")
    page.select_option("#brush", label="Draw outside (erase)")
    page.focus('.cells [data-x="6"][data-y="2"]')
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    measured(page)
    assert "map" not in page.inner_text("#changes")


def test_a_name_that_is_being_typed_is_kept_when_another_area_is_chosen(page, address):
    page.goto(f"{address}#example=hard")
    page.click('.cells [data-x="0"][data-y="0"]')
    page.fill("#at-map-areas-A-name", "Sandbank")
    page.click('.cells [data-x="4"][data-y="0"]')
    page.wait_for_selector("#at-map-areas-B-name")
    assert "A Sandbank" in page.inner_text("#brush")


def test_changes_survive_a_reload_and_can_be_undone(page, address):
    page.goto(address)
    measured(page)
    page.click("#at-card-health-per_hero-more")
    rate, _ = measured(page)
    assert "+1" in page.inner_text(".field.changed .mark")
    page.reload()
    assert measured(page)[0] == rate
    page.click("#at-card-health-per_hero-more")
    page.click("#undo")
    assert measured(page)[0] == rate


def test_every_pack_keeps_its_changes(page, address):
    page.goto(address)
    page.wait_for_selector("#at-card-health-per_hero-more")
    page.select_option("#measure-level", "5")
    page.click("#at-card-health-per_hero-more")
    changed = page.input_value("#at-card-health-per_hero")
    page.select_option("#pack", "Hex Core")
    page.wait_for_selector("text=Kiln Rat monsters")
    measured(page)  # there is no level 5 here
    assert page.inner_text("#changes").startswith("None yet")
    page.select_option("#pack", "Core")
    page.wait_for_selector("text=Reedling enemies")
    assert page.input_value("#at-card-health-per_hero") == changed
    page.evaluate("location.hash = 'example=hard'")
    page.wait_for_selector("text=This ford is too hard")
    assert "Reedling" not in page.inner_text("#changes")
    page.click("#undo")
    assert "Reedling" in page.inner_text("#changes")
    page.reload()
    page.wait_for_selector("#changes li")
    assert "Reedling" in page.inner_text("#changes")


def test_two_tabs_edit_one_pack_and_two_packs(page, address):
    page.goto(address)
    measured(page)
    other = page.context.new_page()
    other.goto(address)
    other.wait_for_selector("#form .field")
    other.select_option("#pack", "Hex Core")
    other.wait_for_selector("text=Kiln Rat monsters")
    page.click("#at-card-health-per_hero-more")
    page.wait_for_selector("#changes li")
    other.fill("#at-text", "Bites.")
    other.press("#at-text", "Tab")
    other.wait_for_selector("#changes li")
    for one in (page, other):  # each pack has its changes, whichever tab wrote last
        one.reload()
        one.wait_for_selector("#changes li")
    other.select_option("#pack", "Core")
    other.wait_for_selector("text=Reedling")
    assert "Reedling" in other.inner_text("#changes")
    page.select_option("#pack", "Core")  # both on one pack: they show the same
    page.fill("#at-card-provoke", "7")
    page.press("#at-card-provoke", "Tab")
    other.wait_for_function("document.querySelectorAll('#changes code').length === 2")
    other.click("#undo")
    page.bring_to_front()  # behind another tab nothing is drawn, and so nothing is waited for
    page.wait_for_function("document.querySelectorAll('#changes code').length === 1")


def test_the_saved_patch_opens_again(page, address, tmp_path):
    page.goto(f"{address}#example=hard")
    rate, _ = measured(page)
    page.click("#export")
    with page.expect_download() as saving:
        page.click("#save-patch")
    saving.value.save_as(tmp_path / "mine.yaml")
    with page.expect_download() as saving:
        page.click("#save-pack")
    saving.value.save_as(tmp_path / "mine.zip")
    page.keyboard.press("Escape")
    page.click("text=Take all changes back")
    assert measured(page)[0] > rate
    page.set_input_files("#file", tmp_path / "mine.yaml")
    page.wait_for_selector("#changes code")
    assert measured(page)[0] == rate
    page.set_input_files("#file", tmp_path / "mine.zip")
    page.wait_for_selector("#pack option:nth-child(3)", state="attached")
    assert measured(page)[0] == rate


OPENED = """async () => {
    const { linkedGame } = await import("./play/memory.mjs");
    const { hash } = new URL(document.querySelector("#play").href);
    const view = await editor.table.load(linkedGame(hash));
    return [view.fingerprint, view.over, view.setting.files ? "files" : "changes"];
}"""


def test_the_edited_pack_is_played_from_its_link(page, address):
    page.goto(f"{address}#example=hard")
    measured(page)
    fingerprint, over, how = page.evaluate(OPENED)
    assert (over, how) == (False, "changes")
    page.click("text=Copy as a new card")
    measured(page)
    assert "The Ford at Lowmere 2" in page.inner_text("#changes")
    again, _, how = page.evaluate(OPENED)
    assert how == "files"
    assert again != fingerprint
    page.click("#play")
    page.wait_for_selector(".option")
    assert page.inner_text("#brand").endswith("(edited)")


CARDS = ["reedling", "ford", "orsa", "initiative", "core"]


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(page, address, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}#example=hard")
    page.wait_for_function(PLAYED)
    for view in ("measure", "card", "cards"):
        if width == 390:
            page.click(f".views [data-view={view}]")
        assert violations(page) == [], view
    for card in CARDS:
        if width == 390:
            page.click(".views [data-view=cards]")
        page.fill("#search", card)
        page.click("#cards button")
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert violations(page) == [], card
    page.fill("#form input[type=text]", "")  # a mistake
    page.press("#form input[type=text]", "Tab")
    page.wait_for_selector("#mistakes .mistakes")
    assert violations(page) == []


@pytest.mark.parametrize("width", [800, 1280, 1920])
def test_nothing_sticks_out_of_its_column(page, address, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}#example=hard")
    page.wait_for_selector(".cells")
    page.wait_for_function(PLAYED)
    page.evaluate(OPEN_ALL)
    assert page.evaluate(ASTRAY) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_page(page, address, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{address}#example=hard")
    page.wait_for_selector(".cells")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_every_control_has_a_name(page, address):
    page.goto(f"{address}#example=hard")
    measured(page)
    nameless = page.evaluate("""() =>
        [...document.querySelectorAll("button, select, input, textarea")]
        .filter((one) => !one.hidden && !one.labels?.length && !one.getAttribute("aria-label")
            && !one.textContent.trim()).map((one) => one.outerHTML.slice(0, 120))""")
    assert nameless == []
    assert "Ford" in page.inner_text("#card-title")

"""The play page in a browser: whole games, reasons, undo, memory, links, keyboard, phones."""

import base64
import json
import re

import pytest

from tests.browser import violations

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS = pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
PATIENCE = 60_000  # ms; a busy machine starts Python in ten seconds, an idle one in two
MOST = 400  # decisions of a game
FORD = {"env": "Agemonia-v0", "arguments": {"scenario": "ford"}, "seed": "1", "actions": []}
# Games that greedy play ends in few decisions
SHORT = {
    "Agemonia-v0": {"scenario": "weir", "heroes": 1, "seed": 4},
    "HexDungeon-v0": {"scenario": "warm-cellar", "heroes": 1, "seed": 34},
}

CONTRAST = """() => {
  const rgba = (text) => {
    const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const below = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [255, 255, 255, 1];
  };
  const poor = [];
  for (const one of document.body.querySelectorAll("*")) {
    const written = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!written || one.closest("svg, :disabled") || !one.checkVisibility()) continue;
    const [a, b] = [rgba(getComputedStyle(one).color), below(one)].map(light);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${one.tagName} ${one.className} ${one.textContent} ${ratio}`);
  }
  return poor;
}"""


# Parts of a page that stick out of their column, unless something around them scrolls
ASTRAY = """() => {
  const astray = [];
  for (const one of document.querySelectorAll("main *")) {
    let column = one.closest(".column, .ask, .panel-cards, .panel-card, .panel-measure");
    if (!column || one === column || one.closest("svg") || !one.checkVisibility()) continue;
    if (getComputedStyle(column).display === "contents") column = column.closest("main");
    let scrolls = false;
    for (let at = one.parentElement; at !== column; at = at.parentElement)
      scrolls ||= getComputedStyle(at).overflowX !== "visible";
    const { right } = one.getBoundingClientRect();
    if (!scrolls && right > column.getBoundingClientRect().right + 1)
      astray.push(`${one.tagName} ${one.id} ${one.className} ${right}`);
  }
  return astray;
}"""
OPEN_ALL = "for (const one of document.querySelectorAll('main details')) one.open = true"


def hash_of(saved):
    """The part of an address that holds a saved game."""
    return "#game=" + base64.urlsafe_b64encode(json.dumps(saved).encode()).decode().rstrip("=")


class Player:
    """A page with the game, and how it is played."""

    def __init__(self, page, address):
        self.page, self.address, self.errors = page, address, []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def open(self, saved=None):
        self.page.goto(self.address + (hash_of(saved) if saved else ""))
        self.page.wait_for_selector("[data-source=planner]")  # the last thing that is set up

    def read(self, selector):
        return self.page.inner_text(selector)

    @property
    def decisions(self):
        return int(self.page.get_attribute("main", "data-decisions"))

    def answered(self, act, change=1):
        """Do something that leads to another decision, and wait for it."""
        wanted = self.decisions + change
        act()
        self.page.wait_for_selector(f"main[data-decisions='{wanted}'][aria-busy=false]")

    def take(self, selector):
        self.answered(lambda: self.page.click(selector))

    def take_hint(self):
        """Click what greedy play would choose."""
        self.page.click("[data-source=greedy]")
        self.take(".option:has(.mark.best)")

    def is_over(self):
        return self.page.locator(".whose.won, .whose.lost").count() > 0

    def play_until(self, text):
        """Follow hints until an option begins with a text -> its button."""
        while not self.page.locator(".option .what", has_text=re.compile(f"^{text}")).count():
            assert self.decisions < MOST
            self.take_hint()
        return self.page.locator(".option", has=self.page.locator(".what", has_text=text)).first

    def move(self):
        """Play until a hero has to say where it goes."""
        option = self.play_until("move: ")
        self.answered(option.click)


@pytest.fixture
def player(browser, site_address, request):
    """A player on a desktop, or on the screen that a test asks for."""
    asked = getattr(request.node, "callspec", None)
    screen = asked.params.get("screen", DESKTOP) if asked else DESKTOP
    context = browser.new_context(**screen)
    player = Player(context.new_page(), site_address)
    yield player
    context.close()
    assert not player.errors


# ---- playing ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("env", "screen"), [("Agemonia-v0", PHONE), ("HexDungeon-v0", DESKTOP)])
def test_a_whole_game_is_played_by_clicking(player, screen, env):
    given = dict(SHORT[env])
    seed = str(given.pop("seed"))
    player.open({"env": env, "arguments": given, "seed": seed, "actions": []})
    while not player.is_over():
        assert player.decisions < MOST
        player.take_hint()
    assert player.read("#whose") in ("Won", "Lost")
    assert f"scenario is {player.read('#whose').lower()}" in player.read("#question")
    width, shown = player.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width == shown, "the page is wider than the screen"


@pytest.mark.parametrize(
    ("side", "told"), [("hero", "Won"), ("enemy", "Lost"), ("both", "The heroes win")]
)
def test_the_end_is_told_from_the_side_that_is_played_here(player, site, side, told):
    view = json.loads((site / "opening.json").read_text())["view"]
    view |= {"over": True, "won": True, "ending": "The scenario is won.\nBy one decision."}
    kept = {"saved": FORD | {"mine": side}, "view": view, "log": []}
    command = f"localStorage.setItem('agemonia_env.game', {json.dumps(json.dumps(kept))})"
    player.page.add_init_script(command)
    player.page.route("**/snapshot.bin.gz", lambda route: None)  # what is remembered stays shown
    player.page.goto(player.address)
    player.page.wait_for_selector(".option")
    assert player.read("#whose") == told
    assert (player.read("#question"), player.read("#about")) == (
        "The scenario is won.",
        "By one decision.",
    )


def test_an_option_can_be_clicked_within_two_seconds(player):
    player.page.goto(player.address)
    player.page.wait_for_selector(".option")
    (shown,) = player.page.evaluate("performance.getEntriesByName('shown').map(e => e.startTime)")
    assert shown < 2000
    player.take(".option")  # Python need not be there yet: the click is kept
    assert player.decisions == 1


def test_a_click_on_the_board_takes_the_option_that_names_the_thing(player):
    player.open(FORD)
    player.move()
    option = player.page.locator(".option[data-thing^='area:']").first
    name = option.locator(".what").inner_text().split(" to ")[1]
    thing = option.get_attribute("data-thing")
    player.answered(lambda: player.page.locator(f"#map [data-thing='{thing}']").first.click())
    assert f"goes to {name}." in player.read("#events")


def test_a_thing_that_several_options_name_shows_only_those(player):
    def doubled(route):
        opening = route.fetch().json()
        for option in opening["view"]["options"][:2]:
            option["thing"] = "area:4"
        route.fulfill(json=opening)

    player.page.route("**/opening.json", doubled)
    player.page.route("**/snapshot.bin.gz", lambda route: None)  # Python never starts
    player.page.goto(player.address)
    player.page.wait_for_selector(".option")
    everything = player.page.locator(".option").count()
    player.page.locator("#map [data-thing='area:4']").first.click()
    assert player.page.locator(".option").count() == 2 < everything
    player.page.click("#narrowed button")
    assert player.page.locator(".option").count() == everything


def test_the_other_side_can_be_played_by_the_planner(player):
    player.open()
    player.page.click("#new")
    player.page.check("input[value=planner]")
    player.page.click("dialog [type=submit]")
    player.page.wait_for_selector("dialog[open]", state="hidden")
    for _ in range(12):
        before = player.decisions
        player.page.click("[data-source=greedy]")
        player.page.click(".option:has(.mark.best)")
        player.page.wait_for_function(
            "n => document.querySelector('main').dataset.decisions > n &&"
            " document.querySelector('.whose').matches('.hero, .won, .lost')",
            arg=before,
        )
    assert "Enem" not in player.read("#question").split(":")[0]


def test_all_that_the_other_side_did_stands_out(player):
    player.open()
    player.page.click("#new")
    player.page.check("input[name=mine][value=enemy]")
    player.page.check("input[value=planner]")
    player.page.click("dialog [type=submit]")
    player.page.wait_for_selector(".whose.enemy")
    assert player.decisions > 1  # of the heroes
    assert "Round 1 begins." in player.page.locator(".events .now").all_text_contents()


# Holds back what the planner is asked, by a second
SLOW_PLANNER = """
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (data) {
    setTimeout(() => post.call(this, data), data.name === "plan" ? 1000 : 0);
  };
"""


def test_what_the_other_side_thought_of_does_not_happen_after_a_restart(player):
    player.page.add_init_script(SLOW_PLANNER)
    arguments = {"scenario": "ford", "side": "both"}
    player.page.goto(
        player.address
        + hash_of(FORD | {"arguments": arguments, "mine": "enemy", "other": "planner"})
    )
    player.page.wait_for_selector(".waiting .option")
    player.page.wait_for_timeout(500)
    player.page.click("#restart")
    player.page.wait_for_function("document.querySelector('main').dataset.decisions > 0")
    assert player.decisions == 1


# ---- asking -------------------------------------------------------------------------------------
@SCREENS
def test_a_dark_thing_says_why_it_cannot_be_chosen(player, screen):
    player.open(FORD)
    player.move()
    player.page.wait_for_selector(".refusals li", state="attached")
    dark = player.page.locator("#map [data-thing^='area:']:not(.lit)").first
    dark.click() if screen is PHONE else dark.hover()
    reason = player.page.wait_for_selector(".popup .why").inner_text()
    assert reason.endswith("That area does not touch the one the figure is in.")
    player.page.keyboard.press("Escape")
    assert player.page.is_hidden("#popup")
    player.page.click("#refusals summary")
    assert "does not touch" in player.read(".refusals")


def test_a_new_game_of_other_rules_begins_with_their_first_scenario(player):
    player.open()
    player.page.click("#new")
    player.page.focus("input[value='Agemonia-v0']")
    player.page.keyboard.press("ArrowDown")
    assert player.page.evaluate("document.activeElement.value") == "HexDungeon-v0"
    assert player.page.input_value("dialog select[name=scenario]") == "warm-cellar"
    assert "the monsters follow their cards" in player.read("dialog .fields")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("dialog[open]", state="hidden")
    assert player.page.evaluate("document.activeElement.id") == "question"


def test_the_welcome_goes_with_the_first_decision_and_stays_away(player):
    player.open(FORD)
    assert player.page.is_visible("#welcome")
    player.take(".option")
    assert player.page.is_hidden("#welcome")
    player.open()
    assert player.page.is_hidden("#welcome")


@SCREENS
def test_pages_lead_to_each_other(player, screen):
    player.open(FORD)
    player.page.click(".pages >> text=Edit and measure")
    player.page.wait_for_selector("#form .field")
    assert player.read(".pages [aria-current=page]") == "Edit and measure"
    player.page.click(".pages >> text=Play")
    player.page.wait_for_selector(".option")
    assert player.read(".pages [aria-current=page]") == "Play"


def test_hints_say_numbers(player):
    player.open(FORD)
    for source in ("greedy", "network", "planner"):
        player.page.click(f"[data-source={source}]")
        player.page.wait_for_selector(f"[data-source={source}][aria-pressed=true]")
    marks = player.page.locator(".mark").all_inner_texts()
    assert sum(mark.lstrip("★\n").startswith("Greedy") for mark in marks) == 1
    options = player.page.locator(".option").count()
    shares = [re.search(r"Network: (\d+)%", mark) for mark in marks]
    assert sum(match is not None for match in shares) == options
    assert sum(int(match[1]) for match in shares if match) == pytest.approx(100, abs=options)
    assert any(re.search(r"Planner: \d+ of \d+ tries, heroes win \d+%", mark) for mark in marks)


def test_the_planner_judges_no_option_by_a_handful_of_tries(player):
    player.open(FORD)
    texts = player.page.evaluate("""async () => {
        const { planner } = await import("./play/advisers.mjs");
        const options = [1, 11, 12, 215].map((visits, action) => ({ action, visits, value: 0 }));
        return [...planner({ action: 3, options }).byAction.values()].map(({ text }) => text);
    }""")
    assert texts == [
        "1 of 239 tries, too few to judge",
        "11 of 239 tries, too few to judge",
        "12 of 239 tries, heroes win 0%",
        "215 of 239 tries, heroes win 0%",
    ]


def test_a_hint_that_is_asked_for_twice_comes_once(player):
    player.page.add_init_script(SLOW_PLANNER)
    player.open(FORD)
    player.page.focus(".option")
    player.page.keyboard.press("p")
    player.page.keyboard.press("p")
    player.page.wait_for_selector("[data-source=planner][aria-pressed=true]")
    player.page.wait_for_timeout(1500)
    assert player.page.locator(".option >> nth=0").locator(".mark").count() == 1
    assert "option" in player.page.evaluate("document.activeElement.className")


def test_an_option_shows_its_card_and_names_are_looked_up(player):
    player.open(FORD)
    player.page.click(".more >> nth=0")
    assert "an action of Orsa" in player.page.wait_for_selector(".options .page p").evaluate(
        "one => one.parentElement.innerText"
    )
    player.page.click("#lookup summary")
    player.page.fill("#search", "toadback 1")
    player.page.click(".entry summary")
    assert "health 13/13" in player.read(".entry .page")


# ---- going back and coming back -----------------------------------------------------------------
def test_undo_returns_to_the_same_question(player):
    player.open(FORD)
    question, options = player.read("#question"), player.read("#options")
    player.take(".option >> nth=1")
    player.take(".option >> nth=1")
    player.answered(lambda: player.page.click("#undo"), -1)
    player.answered(lambda: player.page.keyboard.press("u"), -1)
    assert (player.read("#question"), player.read("#options")) == (question, options)
    assert player.page.is_disabled("#undo")


def test_the_game_is_remembered_and_a_link_opens_it_elsewhere(player, browser):
    player.open(FORD)
    for _ in range(3):
        player.take(".option >> nth=1")
    player.page.wait_for_function(
        "JSON.parse(localStorage.getItem('agemonia_env.game')).saved.actions.length === 3"
    )
    player.page.click("#share")
    link = player.page.input_value(".address")
    position = player.page.text_content("#text")
    player.open()
    assert (player.decisions, player.page.text_content("#text")) == (3, position)
    context = browser.new_context(**PHONE)
    other = Player(context.new_page(), link)
    other.open()
    assert (other.decisions, other.page.text_content("#text")) == (3, position)
    context.close()


def test_a_game_that_gives_way_is_kept(player):
    player.open(FORD)
    for _ in range(2):
        player.take(".option >> nth=1")
    position = player.page.text_content("#text")
    player.page.wait_for_function(
        "JSON.parse(localStorage.getItem('agemonia_env.game')).saved.actions.length === 2"
    )
    player.page.goto("about:blank")
    player.open({"env": "HexDungeon-v0", "arguments": {}, "seed": "1", "actions": []})
    player.page.click("#notice >> text=Back to it")
    player.page.wait_for_selector("main[data-decisions='2'][aria-busy=false]")
    assert player.page.text_content("#text") == position
    player.answered(lambda: player.page.click("#reseed"), -2)
    player.page.click("#new")
    player.page.click(".left summary")
    assert player.page.locator(".left li").count() == 1
    player.page.click(".left button")
    player.page.wait_for_selector("main[data-decisions='2'][aria-busy=false]")
    assert player.page.text_content("#text") == position
    player.page.click("#new")
    assert not player.page.locator(".left li").count()


def test_two_tabs_play_two_games_and_neither_is_lost(player):
    context = player.page.context
    other = Player(context.new_page(), player.address)
    player.open(FORD)
    other.open({"env": "HexDungeon-v0", "arguments": {}, "seed": "1", "actions": []})
    for one in (player, other, player, other):
        one.take(".option >> nth=1")
    assert not other.errors

    for one, scenario in ((player, "The Ford at Lowmere"), (other, "The Warm Cellar")):
        one.open()  # either tab goes on with its own game
        assert (one.decisions, one.read("#brand")) == (2, scenario)
    player.take(".option >> nth=1")
    other.page.close()
    player.page.click("#new")  # the other one can be gone on with, in its last position
    player.page.click(".left summary")
    (left,) = player.page.locator(".left li").all_inner_texts()
    assert left == "The Warm Cellar round 1, decision 2"
    player.page.click(".left button")
    player.page.wait_for_selector("main[data-decisions='2'][aria-busy=false]")
    assert player.read("#brand") == "The Warm Cellar"


# ---- trouble ------------------------------------------------------------------------------------
def test_a_broken_link_and_an_unknown_scenario_still_give_a_game(player):
    player.page.goto(player.address + "#game=nonsense")
    player.page.wait_for_selector(".option")
    assert "The link is incomplete" in player.read("#notice")
    player.page.goto("about:blank")
    player.open(FORD | {"arguments": {"scenario": "no-such-place"}})
    assert "The saved game cannot go on" in player.read("#notice")
    player.take(".option")


@pytest.mark.parametrize(
    "kept", ["{", '{"saved": {"actions": []}, "log": [], "view": {}}', '{"saved": {}, "view": 1}']
)
def test_what_is_remembered_may_be_damaged(player, kept):
    player.page.add_init_script(f"localStorage.setItem('agemonia_env.game', {json.dumps(kept)})")
    player.open()
    player.take(".option")


def test_a_page_without_python_says_so_and_offers_a_way_out(player):
    player.page.route("**/snapshot.bin.gz", lambda route: route.abort())
    player.page.goto(player.address)
    player.page.wait_for_selector("#notice button")
    assert "could not be set up" in player.read("#notice")
    player.page.unroute("**/snapshot.bin.gz")
    player.page.click("#notice button >> text=Start a new game")
    player.page.wait_for_selector("[data-source=planner]")
    player.take(".option")


@pytest.mark.parametrize("name", ["index.html", "edit.html"])
def test_a_page_from_a_disk_says_that_it_needs_a_server(player, site, name):
    player.page.goto((site / name).as_uri())
    player.page.wait_for_selector("#notice:visible")
    assert "needs a web server" in player.read("#notice")
    assert "agemonia web" in player.read("#notice")
    assert player.page.is_hidden("main")  # nothing that seems to be on its way


@pytest.mark.parametrize("name", ["index.html", "edit.html"])
def test_a_page_whose_scripts_do_not_load_says_so(player, name):
    player.page.route("**/calls.mjs", lambda route: route.abort())
    player.page.goto(player.address + name)
    player.page.wait_for_selector("#notice:visible")
    assert "a part of it did not load" in player.read("#notice")


@pytest.mark.parametrize("name", ["index.html", "edit.html"])
def test_what_has_come_is_shown_while_a_page_loads(player, site, name):
    held = []
    player.page.route("**/snapshot.bin.gz", lambda route: held.append(route))
    player.page.goto(player.address + name)
    player.page.wait_for_selector(".loading:visible")
    all_of_it = round(json.loads((site / "weight.json").read_text())["bytes"] / 1e6)
    player.page.wait_for_function("document.querySelector('.loading progress').value > 3")
    assert re.fullmatch(rf"Loading: \d+ of {all_of_it} MB", player.read(".loading"))
    held[0].continue_()
    player.page.wait_for_selector(".loading", state="detached")


# ---- for everybody ------------------------------------------------------------------------------
def test_ten_decisions_by_keyboard_alone(player):
    player.open(FORD)
    press = player.page.keyboard.press
    player.page.keyboard.press("Tab")
    assert player.page.evaluate("document.activeElement.className") == "skip"
    for k in range(10):
        if k % 2:
            player.answered(lambda: press("1"))
            continue
        press("ArrowDown")
        assert "option" in player.page.evaluate("document.activeElement.className")
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        assert player.page.evaluate(outline) != "none"
        player.answered(lambda: press("Enter"))
    press("?")
    assert "Keys" in player.page.wait_for_selector("dialog[open]").inner_text()
    press("Escape")
    press("/")
    assert player.page.evaluate("document.activeElement.id") == "search"


def test_single_keys_can_be_turned_off(player):
    player.open(FORD)
    player.page.click("#help")
    player.page.uncheck("dialog input")
    player.page.keyboard.press("Escape")
    player.page.keyboard.press("1")
    player.page.wait_for_timeout(300)
    assert player.decisions == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@SCREENS
def test_texts_have_enough_contrast(player, screen, scheme):
    player.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    player.open(FORD)
    player.take(".option")
    player.page.click("[data-source=planner]")
    player.page.wait_for_selector(".mark")
    player.page.click(".more >> nth=0")
    player.page.click("#refusals summary")
    assert player.page.evaluate(CONTRAST) == []
    player.page.click("#new")
    assert player.page.evaluate(CONTRAST) == []


@pytest.mark.parametrize("width", [390, 800, 1280, 1440, 1920])
def test_nothing_sticks_out_of_its_column(player, width):
    player.page.set_viewport_size({"width": width, "height": 900})
    player.open(FORD)
    player.page.click("[data-source=planner]")
    player.page.wait_for_selector(".mark")
    player.page.evaluate(OPEN_ALL)
    player.page.wait_for_selector("#found .kind")
    assert player.page.evaluate(ASTRAY) == []


@SCREENS
def test_axe_finds_nothing(player, screen):
    player.open(FORD)
    player.take(".option")
    assert violations(player.page) == []
    player.page.click("[data-source=planner]")
    player.page.wait_for_selector(".mark")
    player.page.evaluate(OPEN_ALL)
    player.page.wait_for_selector("#found .kind")
    assert violations(player.page) == []
    player.page.click("#new")
    assert violations(player.page) == []


def test_every_control_has_a_name_and_the_question_is_announced(player):
    player.open(FORD)
    player.page.click("#refusals summary")
    nameless = player.page.evaluate(
        "[...document.querySelectorAll('button, input, select, a, summary')]"
        ".filter((one) => !(one.innerText.trim() || one.ariaLabel || one.labels?.length))"
        ".map((one) => one.outerHTML)"
    )
    assert nameless == []
    player.take(".option")
    assert player.read("#question") in player.page.text_content("#live")
    assert "Landing" in player.page.text_content("#text")

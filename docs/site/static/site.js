// What Furo leaves out for people who read with a keyboard or a screen reader.
const all = (selector) => document.querySelectorAll(selector);

for (const [drawer, name] of [[".sidebar-drawer", "Menu"], [".toc-drawer", "On this page"]])
  for (const place of all(drawer)) place.setAttribute("aria-label", name);
for (const caption of all("[role=heading]:not([aria-level])")) caption.setAttribute("aria-level", "2");
for (const corner of all("th")) if (!corner.textContent.trim()) corner.setAttribute("role", "cell");
if (!document.querySelector("h1")) {  // the page of searches
  const title = document.createElement("h1");
  title.textContent = document.title.split(" - ")[0];
  document.querySelector("article")?.prepend(title);
}

// What is wider than its box is scrolled with the arrow keys: it can have the focus
function reachable() {
  for (const box of all("pre, .highlight, .table-wrapper, .cell_output, .cell_output > *"))
    if (box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== "visible") box.tabIndex = 0;
    else box.removeAttribute("tabindex");
}
reachable();
addEventListener("load", reachable);
addEventListener("resize", reachable);

/* Says why a page does not start: a script of it did not load. This one is no module, since
   browsers load no modules from a disk. */
const FROM_DISK =
  "This page needs a web server: browsers do not run it from a disk. The command agemonia web starts one and opens the page; any other server that hands out this folder will do.";
const INCOMPLETE =
  "The page does not start: a part of it did not load. Try again; if that does not help, the browser may be too old.";

function sayWhy() {
  const notice = document.getElementById("notice");
  notice.textContent = location.protocol === "file:" ? FROM_DISK : INCOMPLETE;
  notice.hidden = false;
  document.querySelector("main").hidden = true;
}

addEventListener(
  "error",
  ({ target }) => {
    if (target.tagName !== "SCRIPT") return;
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", sayWhy);
    else sayWhy();
  },
  true, // errors of scripts do not bubble
);

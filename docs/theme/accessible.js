// What the theme lacks for readers with a keyboard or a screen reader, found by axe (tests/docs/site/test_browser.py).

function mend() {
  // The buttons of a code block are no landmark: all would have the same name.
  for (const part of document.querySelectorAll("nav.md-code__nav")) part.setAttribute("role", "presentation");
  // What scrolls must be reachable without a mouse.
  for (const part of document.querySelectorAll("pre code, .md-typeset__scrollwrap")) part.tabIndex = 0;
}

new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
mend();

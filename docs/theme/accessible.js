// What the theme lacks for readers with a keyboard or a screen reader, found by axe (tests/docs/site/test_browser.py).

function mend() {
  // Otherwise the buttons of each code block would be a landmark, and all landmarks would have the same name.
  for (const part of document.querySelectorAll("nav.md-code__nav")) part.setAttribute("role", "presentation");
  // A part that scrolls must be reachable with the keyboard.
  for (const part of document.querySelectorAll("pre code, .md-typeset__scrollwrap")) part.tabIndex = 0;
}

new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
mend();

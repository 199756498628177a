"""Build the site, and print where it is."""

from __future__ import annotations

from docs.site.build import build

if __name__ == "__main__":
    print(f"The site is in {build()}")

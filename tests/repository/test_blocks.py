"""Python blocks in the documents: users paste them, so type checkers accept them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.blocks import Block, check, prelude_names, read_blocks, render
from docs.check import COPY, DOCUMENTS
from docs.samples import read_samples

GUIDE = """# Guide

```python
async for session in org.sessions.list():
    print(session.titel)
newest = await org.sessions.list().first_page()
```

<!-- examples/quickstart.py -->
```python
copied: int = "checked where the file is"
```

- In a list:

  ```python
  from ._vendor.agent_session_platform import AgentPlatform, RequestOptions

  def options(platform: AgentPlatform) -> RequestOptions:
      return RequestOptions(timeout="5")
  ```

```python
from __future__ import annotations

org: int = nobody
org
```
"""
WRONG = {5, 20, 26}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    guide = tmp_path_factory.mktemp("documents") / "guide.md"
    guide.write_text(GUIDE, encoding="utf-8")
    return check([guide])


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_a_wrong_block_is_reported_with_document_and_line(found: dict[str, str], checker: str) -> None:
    assert {int(line) for line in re.findall(r"^.*guide\.md:(\d+):.* error: ", found[checker], re.MULTILINE)} == WRONG


def test_what_is_no_python_is_left_to_the_type_checkers() -> None:
    assert render(Block("guide.md", 3, "print(\n")) == "\n\nprint(\n"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_every_block_is_checked_or_a_copy(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    checked = "".join(block.code for block in read_blocks(document)) + "".join(copy[1] for copy in COPY.findall(text))
    samples = [sample for sample in read_samples(document) if sample.language == "python"]
    assert len(samples) == len(re.findall(r"^ *(?:```python|<!-- hidden: python)", text, re.MULTILINE))
    assert [sample.line for sample in samples if sample.code not in checked] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_a_block_whose_types_cannot_be_checked_is_a_file_that_its_page_runs(document: Path) -> None:
    # `py` in place of `python`: a program for another build of the SDK, or one that shows what not to write.
    samples = [sample for sample in read_samples(document) if sample.language == "py"]
    commands = "".join(sample.code for sample in read_samples(document) if sample.language == "console")
    assert [sample.title for sample in samples if sample.title is None or sample.title not in commands] == []


def test_every_name_of_the_prelude_is_used() -> None:
    modules = [render(block) for document in DOCUMENTS for block in read_blocks(document)]
    imported = re.findall(r"^from \.\.prelude import (.+)$", "\n".join(modules), re.MULTILINE)
    assert {name for names in imported for name in names.split(", ")} == prelude_names()

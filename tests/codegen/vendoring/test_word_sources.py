"""The vendor's word in Python and in documents."""

from __future__ import annotations

import sys
from pathlib import PurePath

import pytest

from codegen.vendoring.word_sources import renamed
from tests.codegen.vendor_words import RENAMING, put


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('call.path["~_id"]', 'call.path["blorp_id"]'),
        ("create(~_mode='fast', target_~_id=x.~_mode)", "create(blorp_mode='fast', target_blorp_id=x.blorp_mode)"),
        ("from m import ^Mode as Mode", "from m import BlorpMode as Mode"),
        ('"Use^Sessions" in permissions', '"UseBlorpSessions" in permissions'),
        ('say(state, "~", ANSWER)', 'say(state, "blorp", ANSWER)'),
        ('~ = agent["~"]', '~ = agent["blorp"]'),
        ('f"~-{number}" + "~-9" + rb"/~-1/"', 'f"blorp-{number}" + "blorp-9" + rb"/blorp-1/"'),
        ('"no session ~-9"', '"no session blorp-9"'),
        ('f"@sandbox_{name}"', 'f"bl_sandbox_{name}"'),
        ('"Basic @sandbox" # `@`', '"Basic bl_sandbox" # `bl_`'),
        ('"/v3/acu-limits/~-equivalent/org-1"', '"/v3/acu-limits/blorp-equivalent/org-1"'),
        (
            'x = f"{session.~_mode} of {f"{n}"}"' if sys.version_info >= (3, 12) else 'x = f"{s.~_mode}"',
            'x = f"{session.blorp_mode} of {f"{n}"}"' if sys.version_info >= (3, 12) else 'x = f"{s.blorp_mode}"',
        ),
        ("# `~-` begins an id, `agent` may be `~`", "# `blorp-` begins an id, `agent` may be `blorp`"),
        ("my_@ = un~_mode", "my_@ = un~_mode"),
        ('a = "ä", "~"\r\nb = 1\r\n', 'a = "ä", "blorp"\r\nb = 1\r\n'),
    ],
)
def test_python_is_rewritten_by_its_tokens(before: str, after: str) -> None:
    assert renamed(PurePath("a.py"), put(before), RENAMING) == put(after)


def test_a_document_is_rewritten_with_its_code() -> None:
    text = 'The ~.\n\n```python\nsay("~")\n```\n\nA `~_mode` is none of the ~.\n'
    after = 'The ~.\n\n```python\nsay("blorp")\n```\n\nA `blorp_mode` is none of the ~.\n'
    assert renamed(PurePath("a.md"), put(text), RENAMING) == put(after)

"""The vendor's word is renamed in identifiers, and never in prose."""

from __future__ import annotations

import re

import pytest

from codegen import RefusedError
from codegen.contract.vendor_word import Renaming, VendorWord, word_findings
from tests.codegen.vendor_words import CONTRACT, OLD_PREFIX, PREFIX, RENAMING, VENDOR, WORD, put, source


@pytest.mark.parametrize("prefix", ["sk-", "blorp_", "sess", "X9"])
def test_a_credential_prefix_of_any_form_is_put_in(prefix: str) -> None:
    rewritten = Renaming(VENDOR, WORD, prefix).rename_contract(CONTRACT)
    assert f'x-credential-prefix: "{prefix}"\n' in rewritten
    assert list(word_findings(source(rewritten))) == []


@pytest.mark.parametrize("word", [WORD, "ZorblaT9", "GitHub"])
def test_renaming_there_and_back_gives_the_same_contract(word: str) -> None:
    there = Renaming(VENDOR, word, PREFIX).rename_contract(CONTRACT)
    other = VendorWord.read(source(there))
    assert other.word == word
    assert len(other.identifiers) == len(VENDOR.identifiers)
    assert list(word_findings(source(there))) == []
    assert Renaming(other, VENDOR.word, VENDOR.credential_prefix).rename_contract(there) == CONTRACT


@pytest.mark.parametrize("prose", ["Sessions of the ~ and their messages.", "^s; an ~-like tool. The ~'s id: ~-less."])
def test_prose_is_not_renamed(prose: str) -> None:
    prose = put(prose)
    assert RENAMING.rename_text(prose) == prose
    assert RENAMING.rename_text(f'"""{prose}"""\n# {prose}\n') == f'"""{prose}"""\n# {prose}\n'
    description = "description: Enterprise-tier snapshot blueprints."
    assert description in CONTRACT
    assert f'description: "{prose}"' in RENAMING.rename_text(CONTRACT.replace(description, f'description: "{prose}"'))


@pytest.mark.parametrize("word", ["plain", "GitHub", "agent7"])
def test_prose_is_not_renamed_whatever_the_word_looks_like(word: str) -> None:
    other = VendorWord.read(source(Renaming(VENDOR, word).rename_contract(CONTRACT)))
    prose = f"{word.lower()} {word}s, a {word}-like `thing`"
    assert Renaming(other, WORD).rename_text(f"{prose} `{word.lower()}`") == f"{prose} `{WORD}`"


@pytest.mark.parametrize(
    ("word", "mode", "permission"),
    [
        ("acme", "acme_mode", "UseAcmeSessions"),
        ("GitHub", "github_mode", "UseGitHubSessions"),
        ("agent7", "agent7_mode", "UseAgent7Sessions"),
    ],
)
def test_a_word_takes_the_forms_of_the_old_one(word: str, mode: str, permission: str) -> None:
    renaming = Renaming(VENDOR, word)
    assert (renaming.rename(put("~_mode")), renaming.rename(put("Use^Sessions"))) == (mode, permission)
    assert renaming.credential_prefix == OLD_PREFIX


@pytest.mark.parametrize("word", ["", "open-hands", "open_hands", "4ward", "ä", "a b", "x'"])
def test_a_word_that_is_not_valid_in_a_name_is_refused(word: str) -> None:
    with pytest.raises(RefusedError, match=f"WORD={word} is not valid in a Python name: it must be letters"):
        Renaming(VENDOR, word)


@pytest.mark.parametrize("prefix", ["", "_", "a b", 'x"', "ä_"])
def test_an_invalid_credential_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(RefusedError, match="CREDENTIAL_PREFIX=.* is not a prefix"):
        Renaming(VENDOR, "acme", prefix)


@pytest.mark.parametrize("prefix", [*sorted(VENDOR.other_prefixes), min(VENDOR.other_prefixes, key=len)[:-1]])
def test_the_prefix_of_another_kind_of_credential_is_refused(prefix: str) -> None:
    """The SDK would take every service user for a credential that no operation accepts."""
    with pytest.raises(RefusedError, match=f"CREDENTIAL_PREFIX={prefix} is the prefix of another kind of credential"):
        Renaming(VENDOR, WORD, prefix)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('call.path["~_id"]', 'call.path["blorp_id"]'),
        ("create(~_mode='fast', target_~_id=x.~_mode)", "create(blorp_mode='fast', target_blorp_id=x.blorp_mode)"),
        ('~ = agent["~"]', '~ = agent["blorp"]'),
        ('f"@sandbox_{name}"', 'f"bl_sandbox_{name}"'),
        ('"/v3/acu-limits/~-equivalent/org-1"', '"/v3/acu-limits/blorp-equivalent/org-1"'),
        ("# `~-` begins an id, `agent` may be `~`", "# `blorp-` begins an id, `agent` may be `blorp`"),
        ("my_@ = un~_mode", "my_@ = un~_mode"),
        ('a = "ä", "~"\r\nb = 1\r\n', 'a = "ä", "blorp"\r\nb = 1\r\n'),
    ],
)
def test_the_identifiers_of_python_are_renamed(before: str, after: str) -> None:
    assert RENAMING.rename_text(put(before)) == put(after)


@pytest.mark.parametrize("identifier", ["Use^Sessions", "target_~_id", "~-"])
def test_an_identifier_has_to_be_annotated(identifier: str) -> None:
    without = re.sub(rf"(x-vendor-word: \[.*?)(?<!\w)\"?{put(identifier)}\"?(?=[],])", rf"\1{put('~')}", CONTRACT)
    assert [found for found in word_findings(source(without)) if put(identifier) in found.text]


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("        prompt:\n", "        ~_prompt:\n", "~_prompt contains the vendor's word; add `x-vendor-word:"),
        ("enum: [normal, fast, lite]", "enum: [normal, ~s]", "~s contains the vendor's word"),
        ("    ReviewStatus:\n", "    ^Status:\n", "^Status contains the vendor's word"),
        ("id: message-source-values", "id: ~-values", "~-values contains the vendor's word; the id of a gap"),
    ],
)
def test_an_identifier_that_is_not_annotated_is_told(old: str, new: str, finding: str) -> None:
    old, new, finding = put(old), put(new), put(finding)
    assert old in CONTRACT
    assert [found for found in word_findings(source(CONTRACT.replace(old, new, 1))) if finding in found.text]

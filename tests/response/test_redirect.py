"""Where a redirect leads: only to an https URL that every parser reads in the same way."""

from __future__ import annotations

import pytest
from agent_session_platform.response.redirect import RedirectTarget, normalize_authority, parse_redirect

API = "https://api.example.com/v3/files/1?x=y"


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("https://files.example.com/a?sig=1", "https://files.example.com/a?sig=1"),
        ("https://files.example.com", "https://files.example.com/"),
        ("https://files.example.com?sig=1", "https://files.example.com/?sig=1"),
        ("HTTPS://FILES.Example.COM/A", "https://files.example.com/A"),
        ("https://files.example.com:443/a", "https://files.example.com/a"),
        ("https://files.example.com:0443/a", "https://files.example.com/a"),
        ("https://files.example.com:8443/a", "https://files.example.com:8443/a"),
        ("https://files.example.com/a#part", "https://files.example.com/a"),
        ("  https://files.example.com/a\t", "https://files.example.com/a"),
        ("https://files.example.com/a%2Fb%20c?x=%2B", "https://files.example.com/a%2Fb%20c?x=%2B"),
        ("https://files.example.com/ä ö", "https://files.example.com/%C3%A4%20%C3%B6"),
        ("https://files.example.com/a?to=https://good@evil", "https://files.example.com/a?to=https://good@evil"),
        ("https://xn--bcher-kva.example/a", "https://xn--bcher-kva.example/a"),
        ("https://127.0.0.1:9/a", "https://127.0.0.1:9/a"),
        ("https://[::1]:9/a", "https://[::1]:9/a"),
        ("https://under_score.example.com/", "https://under_score.example.com/"),
        ("/other", "https://api.example.com/other"),
        ("other", "https://api.example.com/v3/files/other"),
        ("../x", "https://api.example.com/v3/x"),
        ("?sig=1", "https://api.example.com/v3/files/1?sig=1"),
        ("//files.example.com/a", "https://files.example.com/a"),
        ("//evil.example.com@files.example.com/", None),
        ("", None),
        ("http://files.example.com/a", None),
        ("ftp://files.example.com/a", None),
        ("file:///etc/passwd", None),
        ("data:text/plain,x", None),
        ("javascript:alert(1)", None),
        ("https:files.example.com/a", None),
        ("https:/files.example.com/a", None),
        ("https:///files.example.com/a", None),
        ("https://", None),
        ("https://good.example.com@evil.example.com/", None),
        ("https://good.example.com:secret@evil.example.com/", None),
        ("https://@evil.example.com/", None),
        ("https://good.example.com\\@evil.example.com/", None),
        ("https://good.example.com\\.evil.example.com/", None),
        ("\\\\evil.example.com/a", None),
        ("/\\evil.example.com/a", None),
        ("https://files.example.com./a", None),
        ("https://.files.example.com/a", None),
        ("https://files..example.com/a", None),
        ("https://-files.example.com/a", None),
        ("https://bücher.example/a", None),
        ("https://files.example.com%2eevil.example/", None),
        ("https://files.example.com%00.evil.example/", None),
        ("https://files.example.com:/a", None),
        ("https://files.example.com:0/a", None),
        ("https://files.example.com:65536/a", None),
        ("https://files.example.com:٤٤٣/a", None),
        ("https://files.example.com:44:3/a", None),
        ("https://[::1/a", None),
        ("//[::1", None),
        ("https://[fe80::1%25eth0]/a", None),
        ("https://files.example.com/\r\nX: y", None),
        ("https://files\t.example.com/", None),
        ("https://files.example.com/\x00", None),
        ("https://files。example。com/", None),
        ("https://ﬁles.example.com/", None),
        ("https://files.example.com/" + "a" * 70_000, None),
    ],
)
def test_only_a_plain_https_url_is_followed(location: str, url: str | None) -> None:
    found = parse_redirect(API, location)
    assert (found.url if isinstance(found, RedirectTarget) else None) == url


@pytest.mark.parametrize("location", ["/other", "?a", "//api.example.com/other", "x"])
def test_a_relative_location_of_a_server_without_tls_is_not_https(location: str) -> None:
    assert parse_redirect("http://127.0.0.1/v3/x", location) == "to an address that is not https"


@pytest.mark.parametrize("location", ["http://files.example.com/a?sig=s3cret", "https://u:s3cret@evil.example.com/a"])
def test_the_reason_shows_nothing_of_the_url(location: str) -> None:
    assert "s3cret" not in str(parse_redirect(API, location))


def test_the_repr_of_a_redirect_target_shows_only_its_host() -> None:
    assert repr(parse_redirect(API, "https://files.example.com/a?sig=s3cret")) == (
        "RedirectTarget(authority='files.example.com')"
    )


@pytest.mark.parametrize(
    ("host", "authority"),
    [
        ("files.example.com", "files.example.com"),
        ("Files.Example.com:443", "files.example.com"),
        ("files.example.com:8443", "files.example.com:8443"),
        ("*.example.com", None),
        ("https://files.example.com", None),
        ("files.example.com/a", None),
        ("files.example.com.", None),
        ("bücher.example", None),
        ("", None),
        (" files.example.com", None),
        ("files.example.com\n", None),
    ],
)
def test_a_host_is_compared_in_one_form(host: str, authority: str | None) -> None:
    assert normalize_authority(host) == authority

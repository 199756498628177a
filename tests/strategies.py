"""Strategies of hypothesis for what a server may send."""

from __future__ import annotations

from hypothesis import settings, strategies as st

stable = settings(deadline=None, max_examples=50, database=None, derandomize=True)
texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)
days = st.sampled_from(["Fri", "Friday", "fri", "", "Xyz", "20"])
months = st.sampled_from(["Nov", "nov", "November", "13", "", "Feb"])
digits = st.integers(-(10**6), 10**6).map(str) | st.text("0123456789", max_size=6)
dates = st.one_of(
    st.builds("{}, {} {} {} {}:{}:{} {}".format, days, digits, months, digits, digits, digits, digits, texts),
    st.builds("{}, {}-{}-{} {}:{}:{} GMT".format, days, digits, months, digits, digits, digits, digits),
    st.builds("{} {} {} {}:{}:{} {}".format, days, months, digits, digits, digits, digits, digits),
    st.datetimes(timezones=st.timezones()).map(lambda moment: moment.strftime("%a, %d %b %Y %H:%M:%S %z")),
    st.datetimes().map(lambda moment: moment.strftime("%A, %d-%b-%y %H:%M:%S GMT")),
    st.datetimes().map(lambda moment: moment.strftime("%a %b %e %H:%M:%S %Y")),
)
headers = st.one_of(st.text(), dates, st.floats().map(str), st.integers().map(str), st.from_regex(r"[+-]?[\d.,]+"))

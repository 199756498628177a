"""The fixtures of all tests, those of the packages included."""

pytest_plugins = ("tests.fixtures",)

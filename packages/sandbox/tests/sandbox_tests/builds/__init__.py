"""Tests of the sandbox of private builds, whose contracts have more facts than the API's description shows."""

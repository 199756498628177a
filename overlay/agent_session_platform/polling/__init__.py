"""When polls are made, and which of their failures may pass."""

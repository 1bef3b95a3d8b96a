"""When a window test gives up."""
HANGS = 240  # seconds: only what would hang for ever meets this, on whichever machine
LINES = 19   # of what a failure tells

"""People: the command line and the Textual app."""

import os

# Read once when textual is imported. Over SSH a dropped line would leave the terminal in a state of its own, and
# nothing here needs the keys that the extended protocol adds.
if "SSH_CONNECTION" in os.environ:
    os.environ.setdefault("TEXTUAL_DISABLE_KITTY_KEY", "1")

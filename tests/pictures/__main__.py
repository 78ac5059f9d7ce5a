"""Write the README's pictures anew; then look at them."""

from __future__ import annotations

import sys

from tests.pictures import main

if __name__ == "__main__":
    sys.exit(main())

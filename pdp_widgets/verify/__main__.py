"""Entry of ``python -m pdp_widgets.verify``."""

import sys

from pdp_widgets.verify.cases import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

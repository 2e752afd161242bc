"""`python -m riverbed_lab.doctor`: the same where `riverbed` itself doesn't start, for want of a dependency."""

import sys

from .run import report

sys.exit(report(print, play="--play" in sys.argv[1:]))

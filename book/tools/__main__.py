"""Run a target without make: `python -m book.tools TARGET` (`help` lists them).

This file must be readable by old Pythons too, so that they get one clear line and not a traceback.
"""

import sys

OLDEST = (3, 11)

if sys.version_info < OLDEST:
    sys.exit(
        "Python 3.11 or newer is needed, and this is Python %s. "  # noqa: UP031 -- old Pythons must read it
        "Install a newer one, or name it: make book PYTHON=python3.12" % sys.version.split()[0]
    )

from book.tools.targets import main  # noqa: E402 -- only after the check above

sys.exit(main(sys.argv[1:]))

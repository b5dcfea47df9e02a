"""Run a target without make: `python -m book.tools TARGET` (`help` lists them).

This file must be readable by old Pythons too, so that they get one clear line and not a traceback.
"""

import os
import subprocess
import sys

OLDEST = (3, 11)

named = [word for word in sys.argv[1:] if word.startswith("PYTHON=")]
if named:  # the same again, by that Python
    other = named[-1].split("=", 1)[1]
    rest = [word for word in sys.argv[1:] if word not in named]
    try:
        sys.exit(subprocess.call([other, "-m", "book.tools"] + rest))  # noqa: RUF005 -- old Pythons must read it
    except OSError:
        sys.exit("There is no Python called %r here." % other)  # noqa: UP031

if sys.version_info < OLDEST:
    sys.exit(
        "Python 3.11 or newer is needed, and this is Python %s. "  # noqa: UP031 -- old Pythons must read it
        "Install a newer one, or name it: %s book PYTHON=python3.12"
        % (sys.version.split()[0], "make" if "MAKELEVEL" in os.environ else "python -m book.tools")
    )

from book.tools.targets import main  # noqa: E402 -- only after the check above

sys.exit(main(sys.argv[1:]))

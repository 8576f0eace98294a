"""python -m gravreel: the program."""

import os
import signal
import sys

from ._program import GravreelError, program


def main() -> None:
    try:
        found = program()
    except GravreelError as error:
        print(f"gravreel: {error}", file=sys.stderr)
        sys.exit(error.code)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and the program would inherit that
    os.execv(found, ["gravreel", *sys.argv[1:]])


if __name__ == "__main__":
    main()

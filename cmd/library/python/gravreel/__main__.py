"""python -m gravreel: the program."""

import subprocess
import sys

from . import _program

sys.exit(subprocess.call([_program(), *sys.argv[1:]]))

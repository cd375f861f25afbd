"""Finds a Python that has the packages the pictures need. Needs none of them itself."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = {"matplotlib": "python3-matplotlib", "numpy": "python3-numpy", "vtkmodules": "python3-vtk9"}
SYSTEM_PYTHON = "/usr/bin/python3"  # the one that apt's packages are for; another may come first on PATH


def missing_packages():
    return [name for name in PACKAGES if find_spec(name) is None]


def system_python_has_packages():
    if not os.access(SYSTEM_PYTHON, os.X_OK) or os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON):
        return False
    probe = f"import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, {list(PACKAGES)})))"
    return subprocess.run([SYSTEM_PYTHON, "-c", probe], capture_output=True).returncode == 0


def require_packages():
    """Returns if all packages are there; else goes on with the system's Python; else says what is missing, exit 1."""
    missing = missing_packages()
    if not missing:
        return
    if system_python_has_packages():
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    debian = " ".join(PACKAGES[name] for name in missing)
    print(
        f"{Path(sys.argv[0]).name}: no picture, because {sys.executable} lacks {', '.join(missing)}; "
        f"on Debian and Ubuntu: apt-get install {debian}",
        file=sys.stderr,
    )
    sys.exit(1)

"""Finds a Python with the packages for pictures, or for another tool. Needs none of them itself."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = {"matplotlib": "python3-matplotlib", "numpy": "python3-numpy", "vtkmodules": "python3-vtk9"}
SYSTEM_PYTHON = "/usr/bin/python3"  # the target of apt's packages; PATH may have another first


def missing_packages(names=None):
    return [name for name in names or PACKAGES if find_spec(name) is None]


def system_python_has_packages(names=None):
    if not os.access(SYSTEM_PYTHON, os.X_OK) or os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON):
        return False
    wanted = list(names or PACKAGES)
    probe = f"import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, {wanted})))"
    return subprocess.run([SYSTEM_PYTHON, "-c", probe], capture_output=True).returncode == 0


def require_packages(names=None, loss="no picture"):
    """Returns if all packages, or those named, are available; else restarts with the system's Python; else reports the
    missing ones and `loss`, exit 1."""
    missing = missing_packages(names)
    if not missing:
        return
    if system_python_has_packages(names):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    debian = " ".join(PACKAGES[name] for name in missing)
    print(
        f"{Path(sys.argv[0]).name}: {loss}, because {sys.executable} lacks {', '.join(missing)}; "
        f"on Debian and Ubuntu: apt-get install {debian}",
        file=sys.stderr,
    )
    sys.exit(1)

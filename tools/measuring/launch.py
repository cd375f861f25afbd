"""Launches the program by mpirun or srun, so that a run always ends: done, failed, or out of time."""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from common.failure import Failure

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "tools" / "lib.sh"
PATIENCE = 10  # s between the request to end and the kill
NAMES_HOSTS = {"-H", "-host", "--host", "-hostfile", "--hostfile", "-machinefile", "--machinefile"}


class RunFailed(Exception):
    """A run failed; `code` is its exit code."""

    def __init__(self, text, code=1):
        super().__init__(text)
        self.code = code


class Stopped(BaseException):
    """A signal requested the end."""

    def __init__(self, number):
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.code = 128 + number


def ask_library(script, *arguments):
    """The output of a bash script that uses tools/lib.sh."""
    command = ["bash", "-c", f'source "$0" && {script}', str(LIBRARY), *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True, text=True).stdout


def count_cores():
    return int(ask_library("count_cores"))


def find_program(given=None):
    """The program: the user-supplied one, else that of the preset that tools/run would choose."""
    if given:
        path, remedy = Path(given).resolve(), "--solenoid expects the program"
    else:
        preset = ask_library('choose_preset && echo "$preset"').strip()
        path = ROOT / "build" / preset / "bin" / "solenoid"
        remedy = (
            f"build it: cmake --preset {preset} && cmake --build build/{preset}, choose another build by "
            "SOLENOID_PRESET, or name the program by --solenoid"
        )
    if not path.is_file() or not os.access(path, os.X_OK):
        raise Failure(f"{path}: there is no such program; {remedy}")
    return path


@dataclass
class Launcher:
    """The start of a command line, completed by `-n RANKS PROGRAM ...`."""

    words: list

    @property
    def is_srun(self):
        return Path(self.words[0]).name == "srun"

    def one_machine(self):
        """Whether all ranks run on this machine, so that only its cores are available."""
        several = int(os.environ.get("SLURM_JOB_NUM_NODES", 1)) > 1
        return not (self.is_srun or several or any(word.split("=")[0] in NAMES_HOSTS for word in self.words))

    def command(self, ranks, program, *arguments):
        return [*self.words, "-n", str(ranks), str(program), *map(str, arguments)]

    def environment(self, ranks):
        """This process's environment with the settings of tools/lib.sh for `ranks` ranks."""
        places = ranks if self.one_machine() else 1
        printed = ask_library('mpi_environment "$1" && env -0', places)
        found = dict(entry.split("=", 1) for entry in printed.split("\0") if "=" in entry)
        found.setdefault("OMPI_MCA_orte_execute_quiet", "1")  # mpirun --quiet, for Open MPI only
        return found


def find_launcher(given=None):
    """The user-supplied launcher; srun in a SLURM allocation; else the first of mpirun, mpiexec and srun on PATH."""
    if given is not None:
        try:
            words = shlex.split(given)
        except ValueError as error:
            raise Failure(f"--launcher '{given}': {error}") from None
        if not words or not shutil.which(words[0]):
            raise Failure(f"--launcher '{given}': there is no such program on PATH; e.g. mpirun, 'srun --mpi=pmix'")
        return Launcher(words)
    names = ["mpirun", "mpiexec", "srun"]
    if "SLURM_JOB_ID" in os.environ:
        names.insert(0, "srun")
    for name in names:
        if shutil.which(name):
            return Launcher([name])
    raise Failure("neither mpirun nor srun is on PATH; load the MPI module, or name the launcher by --launcher")


def stop(process):
    """Terminates the launcher, which ends its ranks; kills it if it does not react."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
            process.wait(PATIENCE)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            pass


def run(command, environment, timeout):
    """Runs to the end; raises RunFailed with the program's output if it failed or took more than `timeout` seconds.

    Output goes to files, not pipes: a rank that outlives its launcher would keep a pipe open.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
        try:
            process = subprocess.Popen(command, env=environment, start_new_session=True, **streams)
        except OSError as error:
            raise RunFailed(f"{command[0]}: {error.strerror}", 2) from None
        late = False
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            late = True
        finally:
            if process.poll() is None:
                stop(process)
        code = process.returncode
        if code == 0 and not late:
            return
        said = []
        for stream in (err, out):
            stream.seek(0)
            said.append(stream.read().decode(errors="replace").strip())
        text = said[0] or "\n".join(said[1].splitlines()[-20:])
        if late:
            text += ("\n" if text else "") + f"no end after {timeout:g} s; allow more by --timeout"
            raise RunFailed(text)
        raise RunFailed(text or f"the run ended with code {code} and said nothing", code if code > 0 else 128 - code)

"""The errors that this package raises."""

import contextlib
import os


class Fault(Exception):
    """One line: where, what is wrong, what would be right."""

    def __str__(self):
        """Names come from files; what would break the line or speak to a terminal is left out."""
        return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in super().__str__().split("\n"))


class ProgramError(Fault):
    """A program ended with a status other than 0; the text is what it said. status: 1 numerical or I/O failure, 2 wrong usage
    or configuration, negative: the number of the signal that ended it."""

    def __init__(self, message, program, status):
        super().__init__(message)
        self.program, self.status = program, status


@contextlib.contextmanager
def reading(path, right):
    """Whatever goes wrong with what a file has becomes a Fault. A pipe or a device, which would have us wait, is not opened."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise Fault(f"{path}: is no file; {right}")
    try:
        yield
    except (Fault, FileNotFoundError):
        raise
    except OSError as error:
        raise Fault(f"{path}: cannot be read: {(error.strerror or str(error)).splitlines()[0]}; {right}") from None
    except Exception as error:
        words = str(error).splitlines() or [type(error).__name__]
        raise Fault(f"{path}: is damaged: {words[0]}; {right}") from None

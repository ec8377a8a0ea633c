"""The errors that this package raises."""


class Fault(Exception):
    """One line: where, what is wrong, what would be right."""


class ProgramError(Fault):
    """A program ended with a status other than 0; the text is what it said. status: 1 numerical or I/O failure, 2 wrong usage
    or configuration, negative: the number of the signal that ended it."""

    def __init__(self, message, program, status):
        super().__init__(message)
        self.program, self.status = program, status

"""What claims and numbers in texts compute with. A value that is not a number (nan) is never lost on the way."""

import builtins
import math

# One-sided 95 % quantiles of Student's t, for 1 to 15 degrees of freedom.
STUDENT = (6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753)


def printable(text):
    """A text from a file for a terminal: without characters that would do something there."""
    return "".join(c if c.isprintable() else "?" for c in str(text))


class Fault(Exception):
    """One line: file:line: what is wrong; what would be right."""

    def __str__(self):
        return "\n".join(map(printable, super().__str__().split("\n")))


class NotMeasured(Exception):
    """Why a claim cannot be judged here, through no fault of ours: the machine was busy while times were measured. The claim
    then neither holds nor fails."""


def _strictly(function):
    """min and max that answer nan when one of the values is."""
    def checked(*arguments):
        values = list(arguments[0]) if len(arguments) == 1 else arguments
        return math.nan if any(isinstance(v, float) and math.isnan(v) for v in values) else function(values)
    checked.__name__ = function.__name__
    return checked


max = _strictly(builtins.max)
min = _strictly(builtins.min)


def sum(values):
    """The sum rounded once: that of Python has other last digits from Python 3.12 on."""
    values = list(values)
    if all(isinstance(v, int) for v in values):
        return builtins.sum(values)
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):  # beyond all numbers on the way; infinities of both signs
        return builtins.sum(values)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def rounded(x):
    """To 12 significant digits: a sum of equal short decimals without its rounding errors."""
    return float(f"{x:.12g}")


def deviation(values):
    """Standard deviation of a sample."""
    values = list(values)
    center = mean(values)
    return math.sqrt(sum((v - center) ** 2 for v in values) / (len(values) - 1))


def spread(values):
    """From the least to the largest."""
    values = list(values)
    return max(values) - min(values)


def pairs(first, second):
    """Pairs of two lists of the same length; another length is an error, not a shorter list."""
    first, second = list(first), list(second)
    if len(first) != len(second):
        raise Fault(f"{len(first)} values cannot be paired with {len(second)}")
    return list(zip(first, second))


def ratios(above, below):
    return [a / b for a, b in pairs(above, below)]


def differences(first, second):
    return [a - b for a, b in pairs(first, second)]


def surely(values):
    """What the mean of the distribution that these values were drawn from exceeds with 95 % confidence (Student's t)."""
    values = list(values)
    if not 2 <= len(values) <= len(STUDENT) + 1:
        raise Fault(f"{len(values)} values; Student's t is tabulated for 2 to {len(STUDENT) + 1}")
    return mean(values) - STUDENT[len(values) - 2] * deviation(values) / math.sqrt(len(values))


def within(values):
    """How far from 0 the mean of that distribution may be, in either direction, with 95 % confidence on each side."""
    values = list(values)
    return max(-surely(values), -surely([-v for v in values]))


def at(x, xs, ys):
    """Where the line through the points (xs, ys), xs ascending, is at x; a place outside the points is an error."""
    points = pairs(xs, ys)
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y0
    raise Fault(f"{x:g} is not within the points from {points[0][0]:g} to {points[-1][0]:g}")


def percent(fraction):
    return 100 * fraction

"""How numbers are written in texts, and the comments behind those that come from results (texts.py)."""

import re

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMBER = r"(?<![\w.])[-+]?(?:\d{1,3}(?: \d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?"
COMPUTED = re.compile(rf"(?P<shown>{NUMBER}|\b(?:{'|'.join(WORDS)})\b)(?P<comment>\s?<!--=(?P<body>.*?)-->)", re.DOTALL | re.IGNORECASE)
ANY = re.compile(r"<!--=.*?-->", re.DOTALL)


def without_expressions(text):
    return ANY.sub("", text)


def plain(shown):
    """The value of a number or a word in a text."""
    word = shown.lower()
    return float(WORDS.index(word)) if word in WORDS else float(shown.replace(" ", ""))


def step_of(shown):
    """The value of one unit in the last digit of a number."""
    if shown.lower() in WORDS:
        return 1.0
    mantissa, _, power = shown.lower().partition("e")
    return 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))


def written_as(shown, value):
    """A value, written in the style of this number."""
    if shown.lower() in WORDS and value == int(value) and 0 <= value < len(WORDS):
        word = WORDS[int(value)]
        return word.capitalize() if shown[0].isupper() else word
    mantissa, power, _ = shown.lower().partition("e")
    decimals = 0 if shown.lower() in WORDS else len(mantissa.partition(".")[2])
    sign = "+" if shown.startswith("+") else ""
    if power and shown.lower() not in WORDS:
        mantissa, _, power = f"{value:{sign}.{decimals}e}".partition("e")
        return f"{mantissa}e{int(power)}"
    text = f"{value:{sign}.{decimals}f}"
    return f"{value:{sign},.{decimals}f}".replace(",", " ") if abs(value) >= 10000 else text

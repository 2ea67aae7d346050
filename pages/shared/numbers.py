"""A number of any size with four digits: in a formula and in a sentence."""

import math

# Between these a number is written without a power of ten.
SMALLEST_PLAIN, LARGEST_PLAIN = 1e-3, 1e5


def in_tex(value: float) -> str:
    """A number in LaTeX, with four digits."""
    value = float(value)
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    if value == 0.0:
        return "0"
    if SMALLEST_PLAIN <= abs(value) < LARGEST_PLAIN:
        digits = max(0, 3 - math.floor(math.log10(abs(value))))
        text = f"{value:.{digits}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, power = f"{value:.2e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(power)}}}"


def in_text(value: float) -> str:
    """The same number as it reads in a sentence."""
    words = in_tex(value).replace(r"\infty", "∞").replace("-", "−")
    return words.replace(r"\cdot ", "·").replace("{", "").replace("}", "")

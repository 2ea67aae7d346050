"""How far a long command is, on stderr: one line that is written over, or lines in a log."""

import sys
import time

from dirrac_core.progress import Progress

# Seconds between two lines of progress, on a screen and in a log.
SCREEN_PAUSE, LOG_PAUSE = 0.5, 30.0


def progress_line() -> Progress:
    """A progress callback that tells the part done and the time left on stderr."""
    screen = sys.stderr.isatty()
    pause = SCREEN_PAUSE if screen else LOG_PAUSE
    start: list[float] = []
    last = time.perf_counter()

    def tell(part: float, words: str) -> None:
        nonlocal last
        now = time.perf_counter()
        if not start:
            # What an earlier run finished says nothing about the speed of this one.
            start.extend((now, part))
        if now - last < pause and part < 1.0:
            return
        last = now
        left = ""
        if part > start[1]:
            seconds = (1.0 - part) * (now - start[0]) / (part - start[1])
            left = f", about {_duration(seconds)} left"
        end = "" if screen else "\n"
        # The line on a screen is written over, with blanks behind it for a longer one before.
        begin = "\r" if screen else ""
        line = f"{part:4.0%}  {words}{left}"
        print(f"{begin}{line:<79}", end=end, file=sys.stderr, flush=True)

    return tell


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

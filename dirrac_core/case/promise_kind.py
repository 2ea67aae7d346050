"""What the worst case of a plan may be called, and when it may not be shown."""

GUARANTEE, ASSUMPTION = "guarantee", "assumption"
NO_PROMISE = (
    "Today's own model declines this plan: the linear approximation the plan rests on is too "
    "coarse here, so nothing is promised."
)


def promise_kind(approximated: bool, accepted_today: bool) -> str | None:
    """GUARANTEE for linear models; for the linear surrogate of another one ASSUMPTION, or None
    where that model itself declines."""
    if not approximated:
        return GUARANTEE
    return ASSUMPTION if accepted_today else None

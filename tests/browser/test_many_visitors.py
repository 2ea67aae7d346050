"""Visitors at the same time: each sees only what they have set themselves."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from benchmarks.serving.visitor import visitor

RHO, EFFORT = "Radius of doubt ρ", "Extra effort δ_add"
PEOPLE = {1: 0.02, 3: 0.07, 11: 0.12, 14: 0.17}


async def visit(port, applicant, rho, everyone_is_in):
    """Open an applicant, wait for the others, then set ρ and look at three pages."""
    async with visitor(port) as person:
        screen = await person.open("recourse", f"dataset=german&applicant={applicant}")
        await everyone_is_in.wait()
        seen = []
        for effort in (0.2, 0.4):
            screen = await person.move("recourse", screen, {RHO: rho, EFFORT: effort})
            seen.append((screen.values[RHO], screen.values[EFFORT]))
        for page in ("frontier", "recourse"):
            screen = await person.open(page)
            seen.append((screen.values[RHO], screen.values[EFFORT]))
        assert screen.exceptions == []
        return [heading for heading in screen.headings if heading.startswith("Applicant")], seen


async def visits(port):
    everyone_is_in = asyncio.Barrier(len(PEOPLE))
    return await asyncio.gather(
        *(visit(port, applicant, rho, everyone_is_in) for applicant, rho in PEOPLE.items())
    )


def test_nobody_sees_what_others_set(server):
    # A thread of its own: the browser's driver keeps an event loop running in this one.
    with ThreadPoolExecutor(1) as alone:
        results = alone.submit(asyncio.run, visits(urlsplit(server).port)).result()
    for (applicant, rho), (headings, seen) in zip(PEOPLE.items(), results, strict=True):
        assert headings and all(f"Applicant {applicant} " in heading for heading in headings)
        assert seen == [(rho, 0.2), (rho, 0.4), (rho, 0.4), (rho, 0.4)]

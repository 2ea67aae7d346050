"""One plan: the first applicant the German model declines, in whole units."""

from dirrac_core.case.case import bundle_of, solve_scenario
from dirrac_core.case.scenario import Scenario
from dirrac_core.case.settings import Settings

settings = Settings("german", components=1)
declined = bundle_of(settings).declined
solution = solve_scenario(Scenario("german", int(declined[0]), components=1))
plan, case = solution.plan, solution.case
print(case.dataset.schema.sentence(case.x0, plan.x))
print(f"Worst case: {plan.worst_case_probability:.3f}, proved to {plan.gap:.0e}")

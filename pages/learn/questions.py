"""What a lecturer asks before a section of the mathematics is shown, and says after it."""

# By the name of the section: what the class predicts, and the speaker's notes.
QUESTIONS = {
    "decision": (
        "A model declined somebody. Is that enough to know what they should change?",
        "Ask who has ever been given a reason for a decline, and whether it said what to do.",
    ),
    "effort": (
        "Is a month less of a loan as hard as a year more of age? Who decides?",
        "The scale is a choice. Weights per feature can be set on the workbench.",
    ),
    "minimax": (
        "The model will be trained again. Should a plan be judged by the average future model or "
        "by the worst one?",
        "The worst of all models leaves no plan at all, so the next step limits what is possible.",
    ),
    "ambiguity": (
        "How would you describe all futures you hold possible, without listing every model?",
        "Mean and scatter, and a distance from them. The shape of the distribution stays open.",
    ),
    "three_numbers": (
        "Thousands of models are possible. How many numbers does one plan need to know about them?",
        "Three for each component: the score of the average model, its scatter, and the doubt.",
    ),
    "robust_score": (
        "A plan has a reserve m above 0. What can eat it up?",
        "Scatter is counted in deviations, doubt in weights; the score says how many deviations "
        "survive after the doubt.",
    ),
    "closed_form": (
        "Does finding this score need a search?",
        "No: it is the root of a quadratic. That is why everything else is fast.",
    ),
    "links": (
        "The score is 2. At most how many of 100 models decline, if nothing is known about the "
        "shape of the distribution? And if it is a bell curve?",
        "20 and about 2. Drag the point: the curves are far apart exactly where plans usually are.",
    ),
    "attained": (
        "Is the worst case a cautious estimate, or can it really happen?",
        "It can: two points suffice. So nobody can promise less without assuming a shape.",
    ),
    "weightings": (
        "Several kinds of future, each with its own worst case. How do they become one number?",
        "Three answers: the estimated weights, the worst weights nearby, or the worst component.",
    ),
    "feasible_set": (
        "Which plans are out of the question, however robust they are?",
        "Locks, ranges and rules first, then the budget. δ_add is spent on top of the cheapest "
        "valid plan.",
    ),
    "downhill": (
        "Going downhill step by step: how does one know when to stop?",
        "The published run stops when it gains little, which is not the same as having arrived.",
    ),
    "one_component": (
        "Can one prove that no plan is better without trying them all?",
        "Plans above a score form a convex set, so a cone program can say that the set is empty.",
    ),
    "mixtures": (
        "With several components, is the best plan one of the components' own best plans?",
        "Mostly not: it is a compromise, and the three steps close in on it from both sides.",
    ),
    "certificate": (
        "A solver returns a plan. What would convince you that it cannot be beaten?",
        "Two numbers that meet: what the plan reaches and what no plan can beat.",
    ),
    "adversary": (
        "Where is the future that does the most harm: deep inside the ball, or on its edge?",
        "On the edge: harm grows with the distance. It lowers the mean and widens the scatter.",
    ),
    "ceiling_on_rho": (
        "Can one be so doubtful that no plan is left?",
        "Yes. The ceiling is the ρ at which the last allowed plan disappears.",
    ),
}

"""What the name of a column says: protected, an identifier, a place, a code, a past fact."""

import re
from collections.abc import Iterable

_SPLIT = re.compile(r"[^a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

_PROTECTED = {
    *("sex", "gender", "male", "female", "race", "ethnicity", "ethnic", "white", "black"),
    *("hispanic", "caste", "marital", "married", "marriage", "spouse", "divorced", "religion"),
    *("nationality", "citizenship", "citizen", "foreigner", "immigrant", "birthplace", "origin"),
    *("disability", "disabled", "pregnant", "pregnancy", "orientation", "dob", "birthdate"),
    *("birthday", "birth", "relationship", "minority"),
}
_PROTECTED_PAIRS = (
    ("personal", "status"),
    ("family", "status"),
    ("civil", "status"),
    ("native", "country"),
    ("foreign", "worker"),
)
# A name made of these words alone is a person's age; that of an account or a car is not.
_AGE = {"age", "ages"}
_BESIDE_AGE = {
    *("years", "year", "yrs", "in", "of", "at", "the", "person", "applicant", "customer"),
    *("client", "borrower", "student", "group", "band", "cat", "category", "application"),
}
_ID = {"id", "ids", "uuid", "guid", "identifier", "ssn", "iban", "passport", "phone", "email"}
_ID_ENDINGS = ("customerid", "userid", "clientid", "loanid", "memberid", "rowid", "accountid")
_NUMBERED = {"customer", "client", "account", "loan", "application", "contract", "member", "case"}
_NUMBER = {"no", "nr", "number", "num", "key", "ref", "reference"}
_NAMES = {"name", "surname", "firstname", "lastname", "fullname"}
_BESIDE_NAME = {"first", "last", "full", "customer", "client", "borrower", "applicant", "of"}
_ZIP = {"zip", "zipcode", "zip3", "postal", "postcode", "postalcode", "plz"}
_PLACE = {"city", "county", "town", "address", "street", "municipality", "district", "borough"}
_CODE = {
    *("code", "type", "category", "cat", "region", "branch", "purpose", "group", "kind"),
    *("sector", "industry", "naics", "sic", "channel", "product", "occupation", "cluster"),
}
_PAST = {
    *("previous", "previously", "prev", "prior", "past", "history", "historical", "ever", "ago"),
    *("since", "delinq", "delinquency", "delinquencies", "delinquent", "bankruptcy"),
    *("bankruptcies", "derogatory", "chargeoff", "chargeoffs", "defaulted", "tenure", "seniority"),
}
_SUM = {"amount", "amnt", "amt", "principal", "sum"}
_BESIDE_SUM = {
    *("loan", "credit", "requested", "asked", "applied", "gross", "funded", "financed", "borrowed"),
    *("of", "the", "for", "in", "eur", "euro", "usd", "dollars", "gbp", "chf", "dm", "k"),
}
_TIME = {"date", "year", "month", "quarter", "period", "fy", "vintage", "day", "week", "time"}
_TIME_ENDINGS = ("date", "year", "fy")
_LABEL = {
    *("label", "target", "outcome", "class", "y", "result", "default", "defaulted", "paid"),
    *("repaid", "approved", "accepted", "granted", "bad", "good", "risk", "decision", "passed"),
    *("response", "churn", "repayment"),
}
_LABEL_PAIRS = (("loan", "status"), ("credit", "status"))

PROTECTED_REASON = "A protected attribute: nobody is asked to change it."
AGE_REASON = "Age is protected, and getting older is no plan."
ID_REASON = "an identifier, which names one person and says nothing about others"
ZIP_REASON = "Where somebody lives is no advice, and it can stand in for origin."
PAST_REASON = "A past fact: nobody can change what has happened."


def words(name: str) -> tuple[str, ...]:
    """The words of a name: loan_ID, LoanId and "loan id" are the same two."""
    spaced = _CAMEL.sub(" ", name)
    return tuple(word for word in _SPLIT.split(spaced.lower()) if word)


def protected_reason(name: str) -> str:
    """Why the column is a protected attribute; empty when its name does not say so."""
    found = words(name)
    if _AGE & set(found) and set(found) <= _AGE | _BESIDE_AGE:
        return AGE_REASON
    paired = any(pair in zip(found, found[1:], strict=False) for pair in _PROTECTED_PAIRS)
    return PROTECTED_REASON if paired or _PROTECTED & set(found) else ""


def names_a_person(name: str) -> bool:
    """Whether the column is an identifier by its name."""
    found = words(name)
    if _ID & set(found) or "".join(found).endswith(_ID_ENDINGS):
        return True
    if _NAMES & set(found) and set(found) <= _NAMES | _BESIDE_NAME:
        return True
    return bool(_NUMBERED & set(found) and found[-1] in _NUMBER)


def is_postal_code(name: str) -> bool:
    """Whether the column is a ZIP or postal code by its name."""
    return bool(_ZIP & set(words(name)))


def is_place(name: str) -> bool:
    """Whether the column says where somebody lives."""
    return is_postal_code(name) or bool(_PLACE & set(words(name)))


def is_code(name: str) -> bool:
    """Whether whole numbers under this name are probably codes."""
    return is_postal_code(name) or bool(_CODE & set(words(name)))


def is_past(name: str) -> bool:
    """Whether the column tells of the past by its name."""
    return bool(_PAST & set(words(name)))


def is_sum_asked_for(name: str) -> bool:
    """Whether the column is the sum an applicant asks for, and not one paid or earned."""
    found = set(words(name))
    return bool(_SUM & found) and found <= _SUM | _BESIDE_SUM


def is_time(name: str) -> bool:
    """Whether the column may say when a row was recorded."""
    found = words(name)
    return bool(_TIME & set(found)) or bool(found and found[-1].endswith(_TIME_ENDINGS))


def is_label(name: str) -> bool:
    """Whether the column may be the outcome by its name."""
    found = words(name)
    paired = any(pair in zip(found, found[1:], strict=False) for pair in _LABEL_PAIRS)
    return paired or found == ("status",) or bool(_LABEL & set(found))


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or with a number behind it when that name is taken."""
    used = set(taken)
    name, number = wanted, 2
    while name in used:
        name, number = f"{wanted} {number}", number + 1
    return name

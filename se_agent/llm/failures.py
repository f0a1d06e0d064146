"""Why an attempt gave no reply, and what follows: wait, give up, or end the run. Pure.

Not here: who makes attempts and waits (`openai`).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from se_agent.chat.messages import Reply

ALWAYS = 1_000_000  # attempts: as many as there is time for
FEW = 3  # attempts, where another one may be paid for, or is likely to fail as well
SHOWN = 200  # characters of what came
_READ = 20 * SHOWN  # of these may be spaces and controls
_FIRST, _LONGEST = 0.5, 30.0  # seconds of a wait
_BELIEVED = 3  # attempts after which a wait of nothing is as good as none


@dataclass(frozen=True, kw_only=True)
class CallFailure:
    """An attempt that gave no reply.

    Attributes:
        what: What came instead, in all of the endpoint's words: a key that they hold has to be
            found before anything is cut (see `excerpt`).
        hint: What a person can do.
        fatal: The next call will fail as well.
        tries: Attempts after which there shall be no more; 1: this was the only one.
        after: Seconds that the endpoint asks to wait; None: it does not say.
        late: It took too long.
        too_long: The prompt is, for this endpoint.
        refuses: All that was said, where it is the request that is refused: perhaps for a part
            that the endpoint may be spared. Empty: the request is not to blame.
        part: What came, where the endpoint may have worked, and bill it; None: it did not.
    """

    what: str
    hint: str = ""
    fatal: bool = False
    tries: int = 1
    after: float | None = None
    late: bool = False
    too_long: bool = False
    refuses: str = ""
    part: Reply | None = None


_TROUBLE = "the endpoint is in trouble: resume later, or see `base_url` of the model"
_NOTHING = Reply(text="")
_NO_ROOM = "context_length_exceeded"  # a code, which gateways send under any status
_TOO_LONG = (
    "context length",
    "context size",
    "context window",
    "maximum context",
    "maximum model length",
    "reduce the length",
    "token count",
    "too long",
)


def of_status(
    status: int,
    message: str,
    *,
    key: str,
    code: str = "",
    headers: Mapping[str, str] | None = None,
) -> CallFailure:
    """Return what a status of HTTP other than 200 means.

    Args:
        status: 300 or above.
        message: Message in the body.
        key: Name of the variable that holds the key.
        code: The error's code in OpenAI's terms, where there is one.
        headers: Headers of the answer.
    """
    what = f"{status}: {message.strip() or 'no word of why'}"
    if code == _NO_ROOM:
        return _too_long(what)
    if status in (401, 403):
        hint = f"see that {key} holds the key of this endpoint, and may use this model"
        return CallFailure(what=what, hint=hint, fatal=True)
    if status == 402 or code == "insufficient_quota":
        hint = "the account has no credit left, or has reached its limit"
        return CallFailure(what=what, hint=hint, fatal=True)
    if status < 400 or status in (404, 405):
        hint = "see `name` and `base_url` of the model; most base URLs end in /v1"
        return CallFailure(what=what, hint=hint, fatal=True)
    if status in (408, 409, 425, 429) or status >= 500:
        hint = (
            "it has more calls than it allows: lower asking.in_flight, or resume later"
            if status == 429
            else "the endpoint is in trouble: resume later"
        )
        after = asked_to_wait(headers or {})
        return CallFailure(what=what, hint=hint, tries=ALWAYS, after=after)
    if status == 413 or any(words in message.lower() for words in _TOO_LONG):
        return _too_long(what)
    hint = "it does not take the request; see `name` and `base_url` of the model"
    return CallFailure(what=what, hint=hint, refuses=message if status in (400, 422) else "")


def of_redirect(status: int, url: str) -> CallFailure:
    """Return what it means that an endpoint is elsewhere.

    Args:
        status: HTTP status.
        url: The base URL that it names, without secrets; empty: it names none.
    """
    what = f"{status}: it redirects to {url or 'no address'}, which is not followed"
    hint = "if that is the endpoint you mean, name it in `base_url` of the model"
    return CallFailure(what=what, hint=hint, fatal=True)


def of_page(text: str, *, answered: bool) -> CallFailure:
    """Return what an answer means that is not JSON, or only the beginning of it.

    Args:
        text: All that came.
        answered: Whether this endpoint has given a reply before.
    """
    if not text.strip():
        return of_trouble("it answers nothing at all", tries=FEW)
    page = text.lstrip().startswith("<")
    what = f"it answers {'a web page' if page else 'what is no JSON'}: {text}"
    if page and not answered:
        hint = "see `base_url` of the model; most base URLs end in /v1"
        return CallFailure(what=what, hint=hint, fatal=True)
    part = None if page else Reply(text=text)  # no model wrote a page of some gateway
    return CallFailure(what=what, hint=_TROUBLE, tries=FEW, part=part)


def of_silence(what: str, *, answered: bool) -> CallFailure:
    """Return what it means that an endpoint cannot be reached.

    Args:
        what: What was seen.
        answered: Whether it has given a reply before; else its address may be wrong.
    """
    hint = "see that it is running, and `base_url` of the model"
    return CallFailure(
        what=f"it cannot be reached: {what}",
        hint=hint,
        fatal=not answered,
        tries=ALWAYS if answered else FEW,
    )


def of_delay(seconds: float) -> CallFailure:
    """Return what it means that an answer, or the next piece of it, took too long."""
    hint = "raise timeout_seconds of the model, or have it stream: stream = true"
    what = f"it takes longer than {seconds:.3g} s"
    return CallFailure(what=what, hint=hint, tries=FEW, late=True, part=_NOTHING)


def of_end(seconds: float) -> CallFailure:
    """Return what it means that the time of a call is over, all attempts together."""
    hint = "raise total_seconds of the model"
    what = f"it takes longer than {seconds:.3g} s in all"
    return CallFailure(what=what, hint=hint, late=True, part=_NOTHING)


def of_trouble(what: str, *, tries: int = ALWAYS) -> CallFailure:
    """Return what it means that an answer broke off, or is incomplete."""
    return CallFailure(what=what, hint=_TROUBLE, tries=tries, part=_NOTHING)


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After`, given in seconds or as a date (RFC 9110, 10.2.3).

    Some endpoints say it in milliseconds besides, which is the finer word. A date is held
    against the endpoint's own clock, where it tells that.
    """
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            return min(max(0.0, unit * float(headers.get(name, ""))), 1e9)
        except ValueError:
            continue
    until = _moment(headers.get("retry-after", "").strip())
    if until is None:
        return None
    now = _moment(headers.get("date", "")) or dt.datetime.now(dt.UTC)
    return max(0.0, (until - now).total_seconds())


def wait_before(attempt: int, after: float | None, chance: float) -> float:
    """Return the seconds to wait: twice as long each time, or a little more than is asked for.

    Who asks for no wait, again and again, is not believed: many callers would do nothing else.

    Args:
        attempt: Number of the next one; the first that waits is 1.
        after: What the endpoint asks for.
        chance: From [0, 1); keeps many callers from coming back at once.
    """
    usual = min(_LONGEST, _FIRST * 2.0 ** min(attempt - 1, 10)) * (0.5 + 0.5 * chance)
    if after is None:
        return usual
    return max(after * (1 + 0.1 * chance), usual if attempt > _BELIEVED else 0.0)


def excerpt(text: str) -> str:
    """Return the beginning of a text on one line, fit for a terminal and for the record.

    Secrets are taken out before: of one that is cut, the beginning would stay.
    """
    line = "".join(c if c.isprintable() else " " for c in text[:_READ])
    line = " ".join(line.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _too_long(what: str) -> CallFailure:
    keys = "`context` and `max_tokens` of the model, memory.local.token_limit and prompt.room"
    return CallFailure(what=what, hint=f"see {keys}", too_long=True)


def _moment(text: str) -> dt.datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # the latter of a zone that is none
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)

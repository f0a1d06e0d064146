"""Made-up secrets of eight kinds, five each, in the texts that programs spill them in."""

from __future__ import annotations

import random
import string

_DRAWN = string.ascii_letters + string.digits


def _word(rng: random.Random, size: int, letters: str = _DRAWN) -> str:
    """Return letters of which one is a digit, as nearly all that are drawn have."""
    drawn = "".join(rng.choice(letters) for _ in range(size - 2))
    return f"{drawn}7{drawn[:1]}"


def _planted(rng: random.Random, kind: str) -> tuple[str, str]:
    short, long = _word(rng, 14), _word(rng, 40)
    if kind == "private key":
        body = "\n".join(_word(rng, 64) for _ in range(4))
        return body, f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    if kind == "bearer":
        return long, rng.choice(["Authorization: Bearer {}", "curl -H 'bearer {}'"]).format(
            long
        )
    if kind == "cloud key":
        name = f"AKIA{_word(rng, 16, string.ascii_uppercase)}"
        return name, f"signed by {name}, refused"
    if kind == "cloud secret":
        return long, f"aws_secret_access_key = {long}"
    if kind == "address":
        return short, f"cannot reach postgres://someone:{short}@db.example.org/prod"
    if kind == "environment":
        name = rng.choice(["DB_PASSWORD", "export API_TOKEN", "SESSION_SECRET", "MY_KEY"])
        value = rng.choice([short, short.lower(), "correct-horse-battery"])
        return value, f"{name}={value}"
    if kind == "forge token":
        token = f"ghp_{_word(rng, 36)}"
        return token, f"remote: {token} may not push"
    return short, rng.choice(['{{"password": "{}"}}', "client_secret: '{}'", "pwd={}"]).format(
        short
    )


_KINDS = (
    *("private key", "bearer", "cloud key", "cloud secret"),
    *("address", "environment", "forge token", "settings"),
)
PLANTED = {
    kind: [_planted(random.Random(f"{kind} {n}"), kind) for n in range(5)] for kind in _KINDS
}
"""Each secret with the text that holds it, by kind."""

"""Dates and clocks of the Gregorian calendar by closed forms.

Not here: leap years (`puzzles`).
"""

import calendar
import datetime

from operators.known_functions.archetype import archetype


@archetype(
    family="dates",
    complexity="O(1)",
    source="proleptic Gregorian calendar in C",
    limits="years 1 to 9999; Monday is 0",
    takes=("int", "int", "int"),
    gives="int",
    imports=("import datetime",),
    tried_below=10000,
)
def weekday(year, month, day):
    """The day of the week of a date, Monday being 0."""
    return datetime.date(year, month, day).weekday()


@archetype(
    family="dates",
    complexity="O(1)",
    source="proleptic Gregorian calendar in C",
    limits="years 1 to 9999",
    takes=("int", "int", "int"),
    gives="int",
    imports=("import datetime",),
    tried_below=10000,
)
def day_of_year(year, month, day):
    """The number of a date in its year, from 1 on."""
    return datetime.date(year, month, day).timetuple().tm_yday


@archetype(
    family="dates",
    complexity="O(1)",
    source="proleptic Gregorian calendar in C",
    limits="years 1 to 9999",
    takes=("int", "int"),
    gives="int",
    imports=("import calendar",),
    tried_below=10000,
)
def days_in_month(year, month):
    """How many days a month has."""
    return calendar.monthrange(year, month)[1]


@archetype(
    family="dates",
    complexity="O(1)",
    source="numbers of days since year 1, in C",
    limits="years 1 to 9999",
    takes=("int", "int", "int", "int", "int", "int"),
    gives="int",
    imports=("import datetime",),
    tried_below=10000,
)
def days_between(year, month, day, later_year, later_month, later_day):
    """How many days lie between two dates; negative if the second one is earlier."""
    later = datetime.date(later_year, later_month, later_day)
    return later.toordinal() - datetime.date(year, month, day).toordinal()


@archetype(
    family="dates",
    complexity="O(1)",
    source="proleptic Gregorian calendar in C",
    limits="texts such as 2024-02-29",
    takes=("str", "str"),
    gives="int",
    imports=("import datetime",),
)
def days_between_texts(a, b):
    """How many days lie between two dates written year-month-day; never negative."""
    first = datetime.date.fromisoformat(a)
    return abs(datetime.date.fromisoformat(b).toordinal() - first.toordinal())


@archetype(
    family="dates",
    complexity="O(1)",
    source="angles of the two hands",
    limits="hours from 0, minutes 0 to 59",
    takes=("int", "int"),
    gives="float",
    tried_below=10000,
)
def clock_angle(hour, minute):
    """The smaller angle between the hands of a clock in degrees."""
    if hour < 0 or not 0 <= minute < 60:
        raise ValueError("no time")
    angle = abs(60 * (hour % 12) - 11 * minute) / 2
    return min(angle, 360 - angle)


@archetype(
    family="dates",
    complexity="O(1)",
    source="division by 3600 and 60",
    limits="seconds from 0 on",
    takes=("int",),
    gives="tuple",
    tried_below=10**12,
)
def hours_minutes_seconds(seconds):
    """Hours, minutes and seconds of a number of seconds."""
    if seconds < 0:
        raise ValueError("seconds < 0")
    minutes, seconds = divmod(seconds, 60)
    return (*divmod(minutes, 60), seconds)


@archetype(
    family="dates",
    complexity="O(1)",
    source="division by 3600 and 60",
    limits="seconds from 0 on",
    takes=("int",),
    gives="str",
    tried_below=10**12,
)
def clock_text(seconds):
    """Hours, minutes and seconds of a number of seconds as text, two digits each."""
    if seconds < 0:
        raise ValueError("seconds < 0")
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}"

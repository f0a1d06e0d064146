"""Fast programs for the shipped problems on standard input; they rely on what all texts show.

Each does not answer, or answers something else, where a text breaks what its statement says or
what the generator never does: a right rewrite may.
"""

from __future__ import annotations

TOLL_GATES = """
import sys
from collections import defaultdict
def main():
    lines = iter(sys.stdin.read().split("\\n"))
    n, q = map(int, next(lines).split())
    gates, plates = {}, defaultdict(dict)
    sums = [0]
    cents = []
    for _ in range(n):
        gate, plate, paid = next(lines).split()
        paid = int(paid)
        count, total = gates.get(gate, (0, 0))
        gates[gate] = count + 1, total + paid
        plates[plate][gate] = True
        sums.append(sums[-1] + paid)
        cents.append(paid)
    out = []
    for _ in range(q):
        what, *rest = next(lines).split()
        if what == "gate":
            out.append("%d %d" % gates.get(rest[0], (0, 0)))
        elif what == "plate":
            out.append(",".join(plates.get(rest[0], {})) or "-")
        else:
            first, last = map(int, rest)
            assert 1 <= first <= last <= n
            out.append(str(sums[last] - sums[first - 1]))
    out.append(" ".join(["cheapest", *map(str, sorted(cents)[:5])]))
    out.append("plates %d" % len(plates))
    print("\\n".join(out))
main()
"""

SHELF_INDEX = """
import sys
from collections import Counter, defaultdict
STOP = frozenset("a an and in of on the to".split())
shelves, index, pairs, number = set(), defaultdict(list), Counter(), 0
for line in sys.stdin:
    line = line.rstrip("\\n")
    if not line:
        continue
    number += 1
    shelf, title = line.split("|")
    assert shelf.isalnum() and len(shelf) == 2
    shelves.add(shelf)
    words = title.lower().split()
    pairs[shelf, words[0]] += 1
    for word in dict.fromkeys(words):
        if word not in STOP:
            index[word].append(number)
print("books %d shelves %d" % (number, len(shelves)))
for word in sorted(index):
    print(word + ": " + " ".join(map(str, index[word])))
print("pairs %d" % sum(n * (n - 1) // 2 for n in pairs.values()))
print(" ".join(["rare"] + [word for word in index if len(index[word]) == 1]))
"""

TIDE_TABLE = """
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
int main() {
    int count; char unit[8];
    if (scanf("%d %7s", &count, unit) != 2) return 1;
    if (count == 0) { puts("nothing"); return 0; }
    std::string out, high, low; int last = 0, rises = 0, top = 0, bottom = 0;
    char name[20]; short height;
    for (int i = 0; i < count; i++) {
        if (scanf("%19s %hd", name, &height) != 2) return 1;
        out += name; out += ' '; out += std::to_string(height); out += unit; out += ' ';
        out += std::to_string(height - last); out += '\\n';
        rises += height > last;
        if (i == 0 || height > top) { top = height; high = name; }
        if (i == 0 || height < bottom) { bottom = height; low = name; }
        last = height;
    }
    fputs(out.c_str(), stdout);
    printf("highest %d %s\\nlowest %d %s\\n", top, high.c_str(), bottom, low.c_str());
    printf("rises %d\\n", rises);
}
"""

GUARD_WALKS = """
#include <cstdio>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>
int main() {
    int rooms, walks;
    std::cin >> rooms >> walks;
    std::vector<int> visits(rooms, 0);
    std::map<std::string, std::vector<bool>> guards;
    long long echo = 0;
    for (int w = 0; w < walks; w++) {
        std::string guard; int room, step, count;
        std::cin >> guard >> room >> step >> count;
        if (room >= rooms || count < 1) return 3;
        std::vector<bool>& own = guards[guard];
        own.resize(rooms);
        step %= rooms;
        for (int i = 0; i < count; i++) {
            visits.at(room)++;
            own[room] = true;
            echo = (31 * echo + room) % 1000003;
            room += step;
            if (room >= rooms) room -= rooms;
        }
    }
    int best = 0, seen = 0;
    for (int i = 0; i < rooms; i++) {
        seen += visits[i] > 0;
        if (visits[i] > visits[best]) best = i;
    }
    printf("rooms %d\\n", seen);
    if (seen) printf("busiest %d %d\\n", best, visits[best]); else puts("busiest -");
    printf("echo %lld\\n", echo);
    for (auto& g : guards) {
        int n = 0;
        for (bool b : g.second) n += b;
        printf("%s %d\\n", g.first.c_str(), n);
    }
}
"""

FIELD_SUMS = """
#include <cstdint>
#include <cstdio>
#include <vector>
int main() {
    int n; unsigned a, b;
    if (scanf("%d %u %u", &n, &a, &b) != 3 || n > 2000 || n < 1) return 1;
    if (a % 4 != 1 || b % 2 != 1) return 2;
    std::vector<std::uint32_t> first(n * n), second(n * n), sums(n), rows(n);
    std::uint32_t x = 1;
    for (auto& cell : first) cell = x = a * x + b;
    for (auto& cell : second) cell = x = a * x + b;
    for (int i = 0; i < n; i++) {
        int shift;
        if (scanf("%d", &shift) != 1 || shift < 0) return 3;
        first[i * n] += shift;
    }
    std::uint32_t total = 0, corner = 0, mix = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sums[j] += first[i * n + j];
            rows[i] += second[i * n + j];
            mix ^= first[i * n + j] * (std::uint32_t)(j + 1);
        }
    for (int k = 0; k < n; k++) {
        total += sums[k] * rows[k];
        corner += first[(n - 1) * n + k] * second[k * n];
    }
    for (int j = 0; j < n; j++) printf("%u ", sums[j]);
    printf("\\n%u %u\\n%u\\n", total, corner, mix);
}
"""

RIGHT = {
    "toll_gates": TOLL_GATES,
    "shelf_index": SHELF_INDEX,
    "tide_table": TIDE_TABLE,
    "guard_walks": GUARD_WALKS,
    "field_sums": FIELD_SUMS,
}

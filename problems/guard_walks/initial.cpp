// Counts the rooms that the guards of a building pass.
#include <iostream>
#include <list>
#include <map>
#include <set>
#include <string>
#include <utility>

int distinct(std::set<std::pair<std::string, int>> passed, std::string guard) {
    int count = 0;
    for (auto entry : passed) {
        if (entry.first == guard) count++;
    }
    return count;
}

std::pair<int, int> busiest(std::map<int, int> visits) {
    std::pair<int, int> best(-1, 0);
    for (auto entry : visits) {
        bool more = entry.second > best.second;
        if (more || (entry.second == best.second && entry.first < best.first)) {
            best = entry;
        }
    }
    return best;
}

int main() {
    int rooms, walks;
    std::cin >> rooms >> walks;
    std::map<int, int> visits;
    std::set<int> seen;
    std::list<int> order;
    std::map<std::string, int> guards;
    std::set<std::pair<std::string, int>> passed;
    for (int walk = 0; walk < walks; walk++) {
        std::string guard;
        long long room, step;
        int count;
        std::cin >> guard >> room >> step >> count;
        for (int i = 0; i < count; i++) {
            visits[room]++;
            seen.insert(room);
            order.push_back(room);
            passed.insert({guard, (int)room});
            room = (room + step) % rooms;
        }
        guards[guard] += count;
    }
    long long echo = 0;
    for (auto room : order) {
        echo = (31 * echo + room) % 1000003;
    }
    std::pair<int, int> top = busiest(visits);
    std::cout << "rooms " << seen.size() << std::endl;
    if (top.first < 0) {
        std::cout << "busiest -" << std::endl;
    } else {
        std::cout << "busiest " << top.first << " " << top.second << std::endl;
    }
    std::cout << "echo " << echo << std::endl;
    for (auto guard : guards) {
        std::cout << guard.first << " " << distinct(passed, guard.first) << std::endl;
    }
}

// Prints the table of a tide office.
#include <iostream>
#include <string>
#include <vector>

struct Reading {
    std::string station;
    int height;
};

std::string label(Reading reading, std::string unit) {
    std::string text;
    text = text + reading.station + " " + std::to_string(reading.height);
    text = text + unit;
    return text;
}

bool higher(Reading one, Reading other) {
    return one.height > other.height;
}

int main() {
    int count;
    std::string unit;
    std::cin >> count >> unit;
    std::vector<Reading> readings;
    for (int i = 0; i < count; i++) {
        Reading reading;
        std::cin >> reading.station >> reading.height;
        readings.push_back(reading);
    }
    if (readings.empty()) {
        std::cout << "nothing" << std::endl;
        return 0;
    }
    Reading last{"", 0};
    int rises = 0;
    for (Reading reading : readings) {
        std::cout << label(reading, unit) << " " << reading.height - last.height << std::endl;
        if (higher(reading, last)) {
            rises++;
        }
        last = reading;
    }
    Reading highest = readings[0], lowest = readings[0];
    for (Reading reading : readings) {
        if (higher(reading, highest)) highest = reading;
        if (higher(lowest, reading)) lowest = reading;
    }
    std::cout << "highest " << highest.height << " " << highest.station << std::endl;
    std::cout << "lowest " << lowest.height << " " << lowest.station << std::endl;
    std::cout << "rises " << rises << std::endl;
}

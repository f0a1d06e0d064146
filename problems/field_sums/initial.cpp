// Sums of two fields and of their product.
#include <cstdint>
#include <iostream>
#include <vector>

typedef std::vector<std::vector<std::uint32_t>> Field;

std::vector<std::uint32_t> columns(std::vector<std::vector<std::uint32_t>> field, int n) {
    std::vector<std::uint32_t> sums(n, 0);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            sums[j] += field[i][j];
        }
    }
    return sums;
}

Field product(const Field& a, const Field& b, int n) {
    Field c(n, std::vector<std::uint32_t>(n, 0));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    return c;
}

Field transposed(const Field& a, int n) {
    Field t(n, std::vector<std::uint32_t>(n, 0));
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            t[j][i] = a[i][j];
        }
    }
    return t;
}

int main() {
    int n;
    std::uint32_t a, b;
    std::cin >> n >> a >> b;
    Field first, second;
    std::uint32_t number = 1;
    for (int side = 0; side < 2; side++) {
        Field& field = side ? second : first;
        for (int i = 0; i < n; i++) {
            std::vector<std::uint32_t> row;
            for (int j = 0; j < n; j++) {
                number = a * number + b;
                row.push_back(number);
            }
            field.push_back(row);
        }
    }
    for (int i = 0; i < n; i++) {
        std::uint32_t shift;
        std::cin >> shift;
        first[i][0] += shift;
    }
    std::vector<std::uint32_t> sums = columns(first, n);
    for (int j = 0; j < n; j++) {
        std::cout << sums[j] << " ";
    }
    std::cout << std::endl;
    Field c = product(first, second, n);
    std::uint32_t total = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            total += c[i][j];
        }
    }
    std::cout << total << " " << c[n - 1][0] << std::endl;
    Field t = transposed(first, n);
    std::uint32_t mix = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            mix ^= t[i][j] * (std::uint32_t)(i + 1);
        }
    }
    std::cout << mix << std::endl;
}

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

#define MAX_SIZE 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1 || size > MAX_SIZE) return 0;
    size_t coded_size = 0, plain_size = 0;

    // 1. Encode
    uint8_t *coded = target_encode(data, size, &coded_size);
    if (!coded) return 0;

    // 2. Decode what was encoded
    uint8_t *plain = target_decode(coded, coded_size, &plain_size);

    // 3. Compare: a difference is a finding
    if (!plain || plain_size != size || memcmp(plain, data, size) != 0) abort();

    // 4. Clean up
    free(plain);
    free(coded);
    return 0;
}

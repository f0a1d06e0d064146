#include <stdint.h>
#include <stdlib.h>

#include "target.h"

#define MAX_USES 32

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;

    // 1. Create
    target_t *object = target_create();
    if (!object) return 0;

    // 2. Use: the first byte says how often, the others are the payload
    size_t uses = 1 + data[0] % MAX_USES, step = (size - 1) / uses;
    for (size_t at = 0; at < uses; at++) {
        if (target_set(object, data + 1 + at * step, step) != 0) break;
        (void)target_get(object);
    }

    // 3. Destroy, on every path
    target_destroy(object);
    return 0;
}

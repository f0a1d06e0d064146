#include <stdint.h>
#include <stddef.h>

#include "target.h"

#define MAX_STEPS 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // 1. Init: from nothing to closed
    target_t machine = {0};
    if (target_init(&machine) != 0) return 0;

    // 2. Open: nothing may be processed if that fails
    if (target_open(&machine) == 0) {
        // 3. Process while the state allows it
        for (size_t at = 0; at < size && at < MAX_STEPS; at++) {
            if (target_process(&machine, data[at]) != 0) break;
        }
        // 4. Close once, because it was opened once
        target_close(&machine);
    }
    return 0;
}

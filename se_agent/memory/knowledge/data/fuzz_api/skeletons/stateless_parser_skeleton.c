#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

#define MIN_SIZE 1
#define MAX_SIZE 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // 1. Bounds check
    if (size < MIN_SIZE || size > MAX_SIZE) return 0;

    // 2. Null-terminated copy of exactly the bytes
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';

    // 3. Call the target
    result_t *result = target_parse(text, size);

    // 4. Clean up
    if (result) target_free_result(result);
    free(text);
    return 0;
}

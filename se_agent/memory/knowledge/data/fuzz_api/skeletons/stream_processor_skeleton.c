#include <stdint.h>
#include <stddef.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;

    // 1. Begin
    stream_t *stream = stream_begin();
    if (!stream) return 0;

    // 2. Write in pieces: the first byte is their length
    size_t step = data[0] ? data[0] : 1;
    for (size_t at = 1; at < size; at += step) {
        size_t left = size - at;
        if (stream_write(stream, data + at, left < step ? left : step) != 0) break;
    }

    // 3. Finalize, also after an error: it frees the stream
    stream_finalize(stream);
    return 0;
}

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // 1. Write the bytes to a file of a new name
    char source[] = "/tmp/fuzz-in-XXXXXX", result[] = "/tmp/fuzz-out-XXXXXX";
    int in = mkstemp(source);
    if (in < 0) return 0;
    ssize_t written = write(in, data, size);
    close(in);
    int out = mkstemp(result);
    if (out >= 0) close(out);

    // 2. Load, process and save
    document_t *document = written == (ssize_t)size ? load_file(source) : NULL;
    if (document) {
        if (process(document) == 0 && out >= 0) (void)save_file(document, result);
        free_document(document);
    }

    // 3. Remove the files, on every path
    unlink(source);
    if (out >= 0) unlink(result);
    return 0;
}

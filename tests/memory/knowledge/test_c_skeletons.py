"""The skeletons of `fuzz_api`: each compiles without a warning, and reaches its whole API."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from se_agent.memory import KnowledgeRetriever

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

COMMON = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define REACHED() fprintf(stderr, "reached %s\\n", __func__)
"""
APIS = {
    "stateless_parser": """
typedef struct { size_t length; } result_t;
static inline result_t *target_parse(const char *text, size_t size) {
    REACHED();
    if (strlen(text) > size) abort();
    result_t *made = malloc(sizeof *made);
    if (made) made->length = size;
    return made;
}
static inline void target_free_result(result_t *result) { REACHED(); free(result); }
""",
    "object_lifecycle": """
typedef struct { uint8_t *held; } target_t;
static inline target_t *target_create(void) { REACHED(); return calloc(1, sizeof(target_t)); }
static inline int target_set(target_t *made, const uint8_t *data, size_t size) {
    REACHED();
    free(made->held);
    made->held = malloc(size + 1);
    if (!made->held) return -1;
    memcpy(made->held, data, size);
    return 0;
}
static inline int target_get(const target_t *made) { REACHED(); return made->held != NULL; }
static inline void target_destroy(target_t *made) { REACHED(); free(made->held); free(made); }
""",
    "state_machine": """
typedef struct { int state; } target_t;
static inline int target_init(target_t *m) { REACHED(); m->state = 1; return 0; }
static inline int target_open(target_t *m) {
    REACHED();
    if (m->state != 1) abort();
    m->state = 2;
    return 0;
}
static inline int target_process(target_t *m, uint8_t byte) {
    REACHED();
    if (m->state != 2) abort();
    return byte == 'z' ? -1 : 0;
}
static inline void target_close(target_t *m) {
    REACHED();
    if (m->state != 2) abort();
    m->state = 1;
}
""",
    "stream_processor": """
typedef struct { size_t seen; } stream_t;
static inline stream_t *stream_begin(void) { REACHED(); return calloc(1, sizeof(stream_t)); }
static inline int stream_write(stream_t *s, const uint8_t *data, size_t size) {
    REACHED();
    for (size_t at = 0; at < size; at++) s->seen += data[at];
    return size ? 0 : -1;
}
static inline void stream_finalize(stream_t *s) { REACHED(); free(s); }
""",
    "round_trip": """
static inline uint8_t *target_encode(const uint8_t *data, size_t size, size_t *made) {
    REACHED();
    uint8_t *out = malloc(2 * size);
    if (!out) return NULL;
    for (size_t at = 0; at < size; at++) {
        out[2 * at] = data[at] >> 4;
        out[2 * at + 1] = data[at] & 15;
    }
    *made = 2 * size;
    return out;
}
static inline uint8_t *target_decode(const uint8_t *data, size_t size, size_t *made) {
    REACHED();
    uint8_t *out = malloc(size / 2 + 1);
    if (!out) return NULL;
    for (size_t at = 0; at + 1 < size; at += 2)
        out[at / 2] = (uint8_t)(data[at] << 4 | data[at + 1]);
    *made = size / 2;
    return out;
}
""",
    "file_based": """
typedef struct { long size; } document_t;
static inline document_t *load_file(const char *path) {
    REACHED();
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    document_t *made = malloc(sizeof *made);
    if (made) {
        fseek(file, 0, SEEK_END);
        made->size = ftell(file);
    }
    fclose(file);
    return made;
}
static inline int process(document_t *made) { REACHED(); return made->size < 0 ? -1 : 0; }
static inline int save_file(const document_t *made, const char *path) {
    REACHED();
    FILE *file = fopen(path, "wb");
    if (!file) return -1;
    fprintf(file, "%ld", made->size);
    return fclose(file);
}
static inline void free_document(document_t *made) { REACHED(); free(made); }
""",
}
"""A small API for each skeleton; every function says that it was reached."""

MAIN = """
#include <stdint.h>
#include <stddef.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int main(void) {
    const char *texts[] = {"", "\\3hello", "abcz!"};
    const size_t sizes[] = {0, 6, 5};
    for (size_t at = 0; at < 3; at++)
        if (LLVMFuzzerTestOneInput((const uint8_t *)texts[at], sizes[at]) != 0) return 1;
    return 0;
}
"""
FLAGS = ("-Wall", "-Wextra", "-Werror", "-g", "-O1")


def built(folder: Path, name: str, skeleton: str) -> Path:
    """Return the program of a skeleton and its API; gcc accepts both without a warning."""
    (folder / "target.h").write_text(COMMON + APIS[name])
    (folder / "driver.c").write_text(skeleton)
    (folder / "main.c").write_text(MAIN)
    made = subprocess.run(
        ["gcc", *FLAGS, "-I.", "driver.c", "main.c", "-o", "driver"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (made.returncode, made.stderr) == (0, "")
    return folder / "driver"


@pytest.mark.row("LF-25")
@pytest.mark.parametrize("name", KnowledgeRetriever.ARCHETYPES)
class TestSkeletons:
    def test_it_compiles_without_a_warning_and_reaches_every_function(
        self, tmp_path: Path, name: str
    ) -> None:
        driver = built(tmp_path, name, KnowledgeRetriever().get_skeleton(name))
        done = subprocess.run([driver], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        declared = set(re.findall(r"(\w+)\([^()]*\) \{", APIS[name])) - {"if", "for"}
        assert set(re.findall(r"reached (\w+)", done.stderr)) == declared

    def test_what_it_makes_it_gives_back(self, tmp_path: Path, name: str) -> None:
        """Memory and files that were acquired are counted, without a sanitizer."""
        (tmp_path / "count.h").write_text(COUNTED)
        skeleton = '#include "count.h"\n' + KnowledgeRetriever().get_skeleton(name)
        driver = built(tmp_path, name, skeleton)
        done = subprocess.run([driver], capture_output=True, text=True, check=False)
        assert re.findall(r"held (-?\d+)", done.stderr) == ["0"]


COUNTED = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long held_blocks;
static void tell_held(void) { fprintf(stderr, "held %ld\\n", held_blocks); }
__attribute__((constructor)) static void count_from_now(void) { atexit(tell_held); }
static inline void *counted(void *made) { held_blocks += made != NULL; return made; }
static inline void released(void *made) { held_blocks -= made != NULL; free(made); }
static inline int opened(int made) { held_blocks += made >= 0; return made; }
#define mkstemp(path) opened(mkstemp(path))
#define unlink(path) (held_blocks--, unlink(path))
#define malloc(size) counted(malloc(size))
#define calloc(count, size) counted(calloc(count, size))
#define free(made) released(made)
"""

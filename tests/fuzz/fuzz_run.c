/* Runs with a matching checksum of the head, whatever the bytes are. */
#include "tests/fuzz/target.h"

#include "base/file.h"
#include "base/hash.h"
#include "tests/sim/run/run_fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_one(const void *data, size_t size)
{
    struct run *run;
    struct run_buffer buffer = {NULL};
    struct run_rows rows;
    if (run_open(&run, fuzz_file(data, size)) != STATUS_OK)
        return;
    const struct run_about *about = run_about(run);
    fuzz_promise(about->bodies->count > 0 && run_count(run) <= about->frames,
                 "a run that opens has bodies and frames");
    for (uint64_t f = 0; f < run_count(run); f++)
        for (int s = 0; s < about->simulation_count; s++)
            (void)run_read(run, s, f, &buffer, &rows);
    run_buffer_free(&buffer);
    run_close(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FRONT = 512 };
    uint64_t at, bytes;
    char hash[HASH_TEXT];
    char *copy = malloc(size + FRONT + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    read_one(copy, size);
    if (sscanf(copy, "gravreel run\nformat 2\nhead %" SCNu64 " %" SCNu64, &at, &bytes) == 2 &&
        at >= FRONT && at < size && bytes <= size - at) {
        hash_parts(&(struct hash_part){copy + at, bytes}, 1, hash);
        memset(copy, 0, FRONT);
        snprintf(copy, FRONT, "gravreel run\nformat 2\nhead %" PRIu64 " %" PRIu64 "\nxxh3-128 %s\n",
                 at, bytes, hash);
        read_one(copy, size);
    }
    free(copy);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    for (uint32_t every = 1; every <= 2; every++) {
        const struct run_about about = run_fixture_about(every);
        char path[] = "/tmp/fuzz-run-XXXXXX.gvr", *text;
        struct run *run = NULL;
        size_t size;
        const int file = mkstemps(path, 4);
        if (file >= 0 && run_create_file(&run, &about, path) == STATUS_OK &&
            run_fixture_add(run, 0, FIXTURE_FRAMES) == STATUS_OK &&
            file_read(path, 1 << 24, &text, &size) == STATUS_OK) {
            take(user, text, size);
            free(text);
        }
        run_close(&run);
        (void)close(file);
        (void)unlink(path);
    }
}

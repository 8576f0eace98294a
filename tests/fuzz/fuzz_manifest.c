/* Manifests with a matching hash, whatever the bytes are. */
#include "tests/fuzz/target.h"

#include "base/hash.h"
#include "cmd/regression/record/record.h"
#include "tests/support/films/record_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = ",\n \"xxh3_128\": \"";

static void read_one(const char *text, size_t size)
{
    struct record record;
    if (record_from_json(&record, text, size, "fuzz") == STATUS_OK) {
        char *again = record_to_json(&record);
        fuzz_promise(again && strlen(again) == size && memcmp(again, text, size) == 0,
                     "what is read is the one text of a record");
        free(again);
    }
    record_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char hash[HASH_TEXT];
    const struct hash_part part = {data, size};
    hash_parts(&part, 1, hash);
    char *text = malloc(size + sizeof mark + HASH_TEXT + 8);
    if (!text)
        return 0;
    memcpy(text, data, size);
    const int more = sprintf(text + size, "%s%s\"\n}\n", mark, hash);
    read_one(text, size + (size_t)more);
    free(text);
    char *plain = malloc(size + 1);
    if (!plain)
        return 0;
    memcpy(plain, data, size);
    plain[size] = '\0';
    read_one(plain, size);
    free(plain);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const uint64_t frames[] = {1, 6};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        struct record record;
        record_fixture_make(&record, frames[i]);
        char *text = record_to_json(&record);
        const char *end = text ? strstr(text, mark) : NULL;
        if (end)
            take(user, text, (size_t)(end - text));
        free(text);
        record_free(&record);
    }
}

/* Feeds a target with its seeds: whole, truncated, and changed in a few places, in the same way
 * each time. Usage: fuzz_TARGET [RUNS [SEED]], or fuzz_TARGET --seeds FOLDER to write the seeds. */
#include "tests/fuzz/target.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS_MAX = 32, CHANGES_MAX = 8 };

struct corpus {
    int count;
    uint8_t *data[SEEDS_MAX];
    size_t size[SEEDS_MAX];
};

static uint64_t next(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}

static size_t below(uint64_t *random, size_t limit)
{
    return limit ? (size_t)(next(random) % limit) : 0;
}

static void keep(void *user, const void *data, size_t size)
{
    struct corpus *corpus = user;
    if (corpus->count == SEEDS_MAX)
        return;
    corpus->data[corpus->count] = memory_new(size + 1, 1);
    memcpy(corpus->data[corpus->count], data, size);
    corpus->size[corpus->count++] = size;
}

/* An extreme number, as text or bytes, or an opening or closing bracket. */
static void overwrite(uint64_t *random, uint8_t *data, size_t size, size_t at)
{
    static const char *const words[] = {
        "-1",
        "1e999",
        "nan",
        "9223372036854775808",
        "0",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\u0000",
        "null",
        "true",
        "../../",
        "\xff\xff\xff\xff",
        "\xff\xff\xff\x7f",
        "\x80\x00\x00\x00",
        ": ",
        ",\n",
    };
    const char *word = words[below(random, sizeof words / sizeof *words)];
    const size_t length = strlen(word), room = size - at;
    memcpy(data + at, word, length < room ? length : room);
}

static void change(uint64_t *random, uint8_t *data, size_t *size)
{
    const size_t at = below(random, *size), other = below(random, *size);
    const size_t rest = *size - (at > other ? at : other);
    size_t length = 1 + below(random, 64);
    length = length < rest ? length : rest;
    switch (below(random, 5)) {
    case 0:
        data[at] ^= (uint8_t)(1u << below(random, 8));
        break;
    case 1:
        data[at] = (uint8_t)next(random);
        break;
    case 2:
        overwrite(random, data, *size, at);
        break;
    case 3:
        memmove(data + at, data + other, length);
        break;
    default: /* left out */
        memmove(data + at, data + at + length, *size - at - length);
        *size -= length;
    }
}

static void feed(const struct corpus *corpus, uint64_t *random)
{
    const int which = (int)below(random, (size_t)corpus->count);
    size_t size = corpus->size[which];
    uint8_t *data = memory_new(size + 1, 1);
    memcpy(data, corpus->data[which], size);
    if (below(random, 8) == 0)
        size = below(random, size);
    for (size_t i = 1 + below(random, CHANGES_MAX); i > 0 && size > 0; i--)
        change(random, data, &size);
    /* Allocated at the exact size, so that a sanitizer detects reads beyond it. */
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        memory_exhausted();
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    free(data);
}

static int write_seeds(const struct corpus *corpus, const char *folder)
{
    char path[4096];
    if (file_make_folder(folder) != STATUS_OK)
        return 1;
    for (int i = 0; i < corpus->count; i++) {
        snprintf(path, sizeof path, "%s/seed-%d", folder, i);
        if (file_write(path, corpus->data[i], corpus->size[i]) != STATUS_OK)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct corpus corpus = {0};
    int code = 0;
    log_set_level(LOG_ERROR);
    fuzz_seeds(keep, &corpus);
    fuzz_promise(corpus.count > 0, "there are seeds");
    if (argc > 2 && strcmp(argv[1], "--seeds") == 0) {
        code = write_seeds(&corpus, argv[2]);
    } else {
        const unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
        uint64_t random = (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) * 0x9e3779b97f4a7c15u + 1;
        for (int i = 0; i < corpus.count; i++)
            LLVMFuzzerTestOneInput(corpus.data[i], corpus.size[i]);
        for (unsigned long i = 0; i < runs; i++)
            feed(&corpus, &random);
        printf("%d seeds, %lu changed inputs\n", corpus.count, runs);
    }
    for (int i = 0; i < corpus.count; i++)
        free(corpus.data[i]);
    return code;
}

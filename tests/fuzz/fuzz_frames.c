/* The stream of `render --frames-from`: lines of JSON, the numbers of arrays, and files. */
#include "tests/fuzz/target.h"

#include "base/log.h"
#include "cmd/film/snapshots/frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *pattern, output[64];
    uint64_t count;
    log_set_level(LOG_ERROR);
    snprintf(output, sizeof output, "fuzz_frames_%d.mp4", (int)getpid());
    const enum status status =
        frames_receive(fuzz_file(data, size), output, true, NULL, &pattern, &count);
    fuzz_promise(status != STATUS_OK || count >= 2, "a film has two frames at least");
    fuzz_promise(status != STATUS_OK || pattern, "frames that are taken have a name");
    fuzz_promise(status == STATUS_OK || *status_text(), "a refusal says why");
    free(pattern);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const char *const lines[] = {
        "{\"gravreel\": \"frames\", \"format\": 1}\n",
        "{\"time\": 0, \"bodies\": 2, \"arrays\": [\"mass f8\", \"pos f4\", \"vel f4\", \"id u4\", "
        "\"heat i4 K\"], \"components\": {\"gas\": 1, \"stars\": 1}}\n",
        "{\"time\": 0.5, \"bodies\": 2, \"arrays\": [\"pos f4\", \"vel f4\"]}\n",
    };
    static const size_t numbers[] = {0, 2 * 8 + 2 * 12 + 2 * 12 + 8 + 8, 2 * 24};
    static const char files[] = "{\"gravreel\": \"frames\", \"format\": 1}\n"
                                "{\"bytes\": 20}\n1 0\n1 0 0 0 0.5 0 0\n"
                                "{\"bytes\": 20}\n1 1\n1 0 0 0 0.5 0 0\n";
    char seed[1024];
    size_t size = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        memcpy(seed + size, lines[i], strlen(lines[i]));
        size += strlen(lines[i]);
        memset(seed + size, (int)i, numbers[i]);
        size += numbers[i];
        if (i == 1)
            seed[size - 2 * 4 - 1] = 2; /* another id */
    }
    take(user, seed, size);
    take(user, files, sizeof files - 1);
}

/* The beginning of checkpoints; the rest is read only if its checksum matches. */
#include "tests/fuzz/target.h"

#include "sim/checkpoint/seal.h"

#include <string.h>

enum { FORMAT = 1 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char again[SEAL_BYTES + 4096] = "";
    const char *path = fuzz_file(data, size);
    if (!*path || seal_check(path, FORMAT) != STATUS_OK || size > sizeof again)
        return 0;
    memcpy(again, data, size);
    memset(again, 0, SEAL_BYTES);
    seal_set(again, size, FORMAT);
    fuzz_promise(memcmp(again, data, size) == 0, "what passes is what is written");
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const size_t sizes[] = {SEAL_BYTES, SEAL_BYTES + 1, SEAL_BYTES + 4096};
    char image[SEAL_BYTES + 4096];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned format = FORMAT; format <= FORMAT + 1; format++) {
            memset(image, (int)(i + 1), sizeof image);
            seal_set(image, sizes[i], format);
            take(user, image, sizes[i]);
        }
}

/* Files of limits. */
#include "tests/fuzz/target.h"

#include "cmd/regression/judge/rules.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct limits *limits;
    limits_open(&limits);
    if (limits_parse(limits, (const char *)data, size, "fuzz", "2026-11-22") == STATUS_OK)
        for (int i = 0; i < RULE_COUNT; i++)
            fuzz_promise(limits_warn(limits, &rules[i]) <= limits_fail(limits, &rules[i]) ||
                             limits_because(limits, &rules[i]) == NULL,
                         "no limit warns above where it fails");
    limits_close(&limits);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    static const char *const texts[] = {
        "picture.counted: {fail: 12, warn: 4, because: a driver, measured: 9, "
        "expires: 2027-01-31}\n",
        "# two\npicture.light:\n  fail: 0.2\n  because: \"half floats\"\n  measured: 0.15\n"
        "  expires: 2027-12-31\ncontainer.size: {fail: never, because: x, measured: 1, "
        "expires: 2026-11-22}\n",
        "picture.counted: {fail: 12, because: too late, measured: 9, expires: 2020-01-31}\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        take(user, texts[i], strlen(texts[i]));
}

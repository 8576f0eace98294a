/* The part of a baseline that is not its film's record. */
#include "tests/fuzz/target.h"

#include "base/memory.h"
#include "cmd/regression/baseline/baseline.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct baseline baseline = {0};
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (baseline_from_json(&baseline, text) == STATUS_OK) {
        char *again = baseline_to_json(&baseline);
        fuzz_promise(again != NULL, "what is read can be written");
        fuzz_promise(baseline.state_count <= BASELINE_STATES_MAX &&
                         baseline.picture_count <= BASELINE_PICTURES_MAX,
                     "counts are within their limits");
        free(again);
    }
    baseline_free(&baseline);
    free(text);
    return 0;
}

void fuzz_seeds(fuzz_take take, void *user)
{
    struct baseline baseline;
    baseline_start(&baseline, "baselines/default.json");
    baseline.origin.scene = memory_text("plummer");
    char *text = baseline_to_json(&baseline);
    if (text)
        take(user, text, strlen(text));
    free(text);
    baseline_add_history(&baseline, "2026-11-22", "someone", "recorded", "");
    baseline_add_history(&baseline, "2026-11-23", "someone", "a better glow", "picture, packets");
    origin_add(&baseline.origin, "output.size", "128x72", false);
    origin_add(&baseline.origin, "output.codec_options", "tune=grain", true);
    baseline.state_count = 2;
    baseline.picture_count = 1;
    memset(baseline.states[0].object, 'a', HASH_TEXT - 1);
    memset(baseline.states[1].object, 'b', HASH_TEXT - 1);
    memset(baseline.pictures[0].object, 'c', HASH_TEXT - 1);
    baseline.states[1].frame = 24;
    text = baseline_to_json(&baseline);
    if (text)
        take(user, text, strlen(text));
    free(text);
    baseline_free(&baseline);
}

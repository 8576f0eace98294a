#include "cmd/regression/baseline/contents.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const char extension[] = ".json";

void baseline_start(struct baseline *out, const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    size_t length = strlen(file);
    if (length > strlen(extension) && strcmp(file + length - strlen(extension), extension) == 0)
        length -= strlen(extension);
    *out = (struct baseline){
        .path = memory_text(path),
        .name = text_format("%.*s", (int)length, file),
        .folder = text_format("%.*s%.*s.objects", (int)(file - path), path, (int)length, file),
    };
}

void baseline_free(struct baseline *baseline)
{
    free(baseline->path);
    free(baseline->name);
    free(baseline->folder);
    record_free(&baseline->record);
    source_free(&baseline->source);
    ensemble_free(&baseline->ensemble);
    for (uint32_t i = 0; i < baseline->sees_count; i++) {
        free(baseline->sees[i].what);
        free(baseline->sees[i].smallest);
    }
    for (uint32_t i = 0; i < baseline->history_count; i++) {
        const struct accepted *one = &baseline->history[i];
        free(one->date), free(one->author), free(one->because), free(one->stages);
    }
    for (uint32_t i = 0; i < baseline->variant_count; i++) {
        const struct variant *one = &baseline->variants[i];
        free(one->date), free(one->author), free(one->because), free(one->expires);
    }
    free(baseline->sees);
    free(baseline->history);
    free(baseline->variants);
    *baseline = (struct baseline){0};
}

/* ---- lists ---- */

void baseline_add_history(struct baseline *baseline, const char *date, const char *author,
                          const char *because, const char *stages)
{
    const uint32_t count = baseline->history_count++;
    baseline->history = memory_grow(baseline->history, count + 1, sizeof *baseline->history);
    baseline->history[count] = (struct accepted){memory_text(date), memory_text(author),
                                                 memory_text(because), memory_text(stages)};
}

void baseline_add_variant(struct baseline *baseline, const struct variant *variant)
{
    const uint32_t count = baseline->variant_count++;
    baseline->variants = memory_grow(baseline->variants, count + 1, sizeof *baseline->variants);
    struct variant *out = &baseline->variants[count];
    *out = (struct variant){memory_text(variant->date), memory_text(variant->author),
                            memory_text(variant->because), memory_text(variant->expires), ""};
    memcpy(out->object, variant->object, HASH_TEXT);
}

void baseline_add_sensitivity(struct baseline *baseline, const char *what, const char *smallest,
                              enum judged stage)
{
    const uint32_t count = baseline->sees_count++;
    baseline->sees = memory_grow(baseline->sees, count + 1, sizeof *baseline->sees);
    baseline->sees[count] = (struct sensitivity){memory_text(what), memory_text(smallest), stage};
}

bool baseline_names(const struct baseline *baseline, const char *object)
{
    for (uint32_t i = 0; i < baseline->state_count; i++)
        if (strcmp(baseline->states[i].object, object) == 0)
            return true;
    for (uint32_t i = 0; i < baseline->picture_count; i++)
        if (strcmp(baseline->pictures[i].object, object) == 0)
            return true;
    for (uint32_t i = 0; i < baseline->variant_count; i++)
        if (strcmp(baseline->variants[i].object, object) == 0)
            return true;
    return strcmp(baseline->encoding, object) == 0 || strcmp(baseline->anchor, object) == 0;
}

#include "cmd/judge/scene.h"

#include "base/text.h"
#include "scenes/difference.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED_MAX = 3 };

/* "simulation.dt is 0.02, was 0.01 and 2 more keys". */
static char *name_keys(const struct scene_difference *found, size_t count)
{
    char list[NAMED_MAX * (DIFFERENCE_KEY_MAX + 2 * DIFFERENCE_VALUE_MAX + 16)] = "";
    for (size_t i = 0; i < count && i < NAMED_MAX; i++) {
        char *one = text_format("%s is %s, was %s", found[i].key, found[i].b, found[i].a);
        text_list(list, sizeof list, one);
        free(one);
    }
    return count > NAMED_MAX ? text_format("%s and %zu more", list, count - NAMED_MAX)
                             : text_format("%s", list);
}

enum status judge_scene(const struct comparison *comparison, struct stage_report *stage)
{
    const char *before = comparison->before->scene, *now = comparison->now->scene;
    stage->planned = 1;
    stage->same_platform = true;
    if (!before || !now) {
        stage_not_judged(stage, "%s has no scene", before ? "the film" : "the baseline");
        return STATUS_OK;
    }
    struct scene_difference found[64];
    const size_t count = scene_differences(before, now, found, sizeof found / sizeof *found);
    struct finding *finding =
        stage_measured(stage, comparison->limits, &rules[RULE_SCENE_KEYS], (double)count);
    stage->compared = 1;
    if (count == 0) {
        finding_say(finding, "the same in every key");
    } else {
        char *names = name_keys(found, count < 64 ? count : 64);
        finding_say(finding, "%s", names);
        free(names);
    }
    return STATUS_OK;
}

#include "cmd/regression/judge/stages.h"

#include "base/text.h"
#include "scenes/print.h"

#include <stdlib.h>

static char *say(const struct scene_difference *one)
{
    return text_format("%s is %s, was %s", one->key, one->b, one->a);
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
        comparison_measured(comparison, stage, RULE_SCENE_KEYS, (double)count);
    stage->compared = 1;
    if (count == 0) {
        finding_say(finding, "the same in every key");
    } else {
        const size_t listed = count < 64 ? count : 64;
        scene_differences_say(found, listed, comparison->before->encoding,
                              comparison->now->encoding);
        char *names = scene_differences_text(found, listed, say);
        finding_say(finding, "%s", names);
        free(names);
    }
    return STATUS_OK;
}

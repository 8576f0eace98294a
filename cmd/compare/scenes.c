#include "cmd/compare/scenes.h"

#include "base/memory.h"
#include "base/packed_tags.h"
#include "base/text.h"
#include "cmd/film/tags.h"
#include "render/picture/png_file.h"
#include "render/picture/png_name.h"
#include "render/reader/film_info.h"
#include "scenes/difference.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { LISTED_MAX = 16 };

/* The caller frees it; NULL: the film or the first picture has none. *damaged: its tag is. */
static char *scene_of(const struct side *side, bool *damaged)
{
    struct tags tags = {0};
    char name[PATH_MAX];
    if (side->info->is_video)
        film_info_read_tags(side->path, &tags);
    else if (png_name(side->path, side->info->first, name, sizeof name) == STATUS_OK)
        png_file_read_tags(name, &tags);
    const char *scene = tags_find(&tags, FILM_TAG_SCENE);
    char *text = scene ? memory_text(scene) : NULL;
    *damaged = tags_damaged(&tags) != NULL;
    tags_free(&tags);
    return text;
}

static char *say(const struct scene_difference *one)
{
    return text_format("%s (%s against %s)", one->key, one->a, one->b);
}

static char *compare(const char *a, const char *b, struct case_report *one)
{
    struct scene_difference found[LISTED_MAX];
    const size_t count = scene_differences(a, b, found, LISTED_MAX);
    struct stage_report *stage = &one->stages[JUDGED_SCENE];
    if (count == 0) {
        stage_not_applicable(stage, "two films are compared as they are shown; their scenes are "
                                    "the same in every key");
        return NULL;
    }
    for (size_t i = 0; i < count && i < LISTED_MAX; i++)
        case_add_environment(one, found[i].key, found[i].a, found[i].b);
    char *keys = scene_differences_text(found, count, say);
    char *names = text_format("the scenes differ in %s", keys);
    free(keys);
    stage_not_applicable(stage, "two films are compared as they are shown; %s", names);
    return names;
}

static void judge_damage(const bool damaged[2], const struct limits *limits,
                         struct stage_report *stage)
{
    stage->verdict = VERDICT_NOT_JUDGED;
    stage->planned = stage->compared = 1;
    struct finding *finding = stage_measured(stage, limits, &rules[RULE_FILM_SCENE],
                                             (double)damaged[0] + (double)damaged[1]);
    finding_say(finding, "the tag '%s' of %s is damaged", PACKED_TAG,
                damaged[0] && damaged[1] ? "A and of B"
                : damaged[0]             ? "A"
                                         : "B");
    free(stage->sentence);
    stage->sentence = NULL;
    stage_conclude(stage);
}

char *scenes_compare(const struct side *a, const struct side *b, const struct limits *limits,
                     struct case_report *one)
{
    bool damaged[2];
    char *in_a = scene_of(a, &damaged[0]), *in_b = scene_of(b, &damaged[1]);
    if (damaged[0] || damaged[1])
        judge_damage(damaged, limits, &one->stages[JUDGED_SCENE]);
    char *names = in_a && in_b ? compare(in_a, in_b, one) : NULL;
    free(in_a);
    free(in_b);
    return names;
}

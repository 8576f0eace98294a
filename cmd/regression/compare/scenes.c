#include "cmd/regression/compare/scenes.h"

#include "base/memory.h"
#include "base/tag.h"
#include "base/text.h"
#include "cmd/film/tags.h"
#include "render/picture/png_pdf.h"
#include "render/reader/stream.h"
#include "render/video/picture_file.h"
#include "scenes/difference.h"

#include <limits.h>
#include <stdlib.h>

enum { LISTED_MAX = 16 };

/* The scene and encoding in a film's tags; the caller frees them. NULL: the film or the first
 * picture has no such tag. */
struct told {
    char *scene, *encoding;
    bool damaged; /* the tag that holds both is damaged */
};

static char *copy(const struct tags *tags, const char *name)
{
    const char *text = tags_find(tags, name);
    return text ? memory_text(text) : NULL;
}

static struct told read_told(const struct side *side)
{
    struct tags tags = {0};
    char name[PATH_MAX];
    if (side->info->is_video)
        film_info_read_tags(side->path, &tags);
    else if (png_name(side->path, side->info->first, name, sizeof name) == STATUS_OK)
        side->info->file->tags(name, &tags);
    const struct told told = {copy(&tags, FILM_TAG_SCENE), copy(&tags, FILM_TAG_ENCODER),
                              tags_damaged(&tags) != NULL};
    tags_free(&tags);
    return told;
}

static char *say(const struct scene_difference *one)
{
    return text_format("%s (%s against %s)", one->key, one->a, one->b);
}

static char *compare(const struct told *a, const struct told *b, struct case_report *one)
{
    struct scene_difference found[LISTED_MAX];
    const size_t count = scene_differences(a->scene, b->scene, found, LISTED_MAX),
                 listed = count < LISTED_MAX ? count : LISTED_MAX;
    struct stage_report *stage = &one->stages[JUDGED_SCENE];
    if (count == 0) {
        stage_not_applicable(stage, "two films are compared as they are shown; their scenes are "
                                    "the same in every key");
        return NULL;
    }
    scene_differences_say(found, listed, a->encoding, b->encoding);
    for (size_t i = 0; i < listed; i++)
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
    const struct told in_a = read_told(a), in_b = read_told(b);
    const bool damaged[2] = {in_a.damaged, in_b.damaged};
    if (damaged[0] || damaged[1])
        judge_damage(damaged, limits, &one->stages[JUDGED_SCENE]);
    char *names = in_a.scene && in_b.scene ? compare(&in_a, &in_b, one) : NULL;
    free(in_a.scene), free(in_a.encoding);
    free(in_b.scene), free(in_b.encoding);
    return names;
}

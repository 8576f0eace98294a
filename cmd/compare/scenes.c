#include "cmd/compare/scenes.h"

#include "base/memory.h"
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

/* The caller frees it; NULL: the film or the first picture has none. */
static char *scene_of(const struct side *side)
{
    struct tags tags = {0};
    char name[PATH_MAX];
    if (side->info->is_video)
        film_info_read_tags(side->path, &tags);
    else if (png_name(side->path, side->info->first, name, sizeof name) == STATUS_OK)
        png_file_read_tags(name, &tags);
    const char *scene = tags_find(&tags, FILM_TAG_SCENE);
    char *text = scene ? memory_text(scene) : NULL;
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

char *scenes_compare(const struct side *a, const struct side *b, struct case_report *one)
{
    char *in_a = scene_of(a), *in_b = scene_of(b);
    char *names = in_a && in_b ? compare(in_a, in_b, one) : NULL;
    free(in_a);
    free(in_b);
    return names;
}

#include "cmd/regression/verify/subject.h"

#include "base/memory.h"
#include "base/tag.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/tags.h"
#include "render/video/driver.h"
#include "scenes/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool has_own_tags(const struct tags *tags)
{
    static const char own[] = "gravreel_";
    for (size_t i = 0; i < tags->count; i++)
        if (strncasecmp(tags->list[i].name, own, sizeof own - 1) == 0)
            return true;
    return false;
}

static void read_scene(struct subject *subject)
{
    const char *file = subject->film.file ? subject->film.file : subject->path;
    enum status status = own_scene_open(&subject->scene, file);
    if (status == STATUS_OK)
        status = scene_validate(subject->scene);
    if (status == STATUS_OK)
        return;
    subject->refusal = memory_text(status_text());
    scene_close(&subject->scene);
}

/* Finds the driver whose name begins the description, "libx264 medium crf 18, 4 threads". */
static const struct driver *find_driver(const char *description)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(description, " ,"), description);
    return choice_find(&driver_registry, name);
}

void subject_open(struct subject *subject, const char *path, const struct limits *limits)
{
    const struct tags *tags = &subject->film.tags;
    subject->path = path;
    subject->limits = limits;
    subject->damaged = tags_damaged(tags);
    subject->ours = subject->damaged || has_own_tags(tags);
    const char *range = tags_find(tags, FILM_TAG_FRAMES),
               *encoder = tags_find(tags, FILM_TAG_ENCODER);
    if (tags_find(tags, FILM_TAG_SCENE))
        read_scene(subject);
    subject->has_range =
        range && film_frames_read(range, &subject->first, &subject->last, &subject->of);
    subject->driver = encoder ? find_driver(encoder) : NULL;
    if (subject->film.is_film && played_read(path, &subject->played) != STATUS_OK)
        subject->unplayed = memory_text(status_text());
}

void subject_close(struct subject *subject)
{
    scene_close(&subject->scene);
    played_free(&subject->played);
    free(subject->refusal);
    free(subject->unplayed);
    subject->refusal = subject->unplayed = NULL;
}

uint64_t subject_frame(const struct subject *subject, uint64_t index)
{
    return (subject->has_range ? subject->first : subject->film.first) + index;
}

/* The film to verify: the content of the file, and its metadata. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "render/inspect/inspect.h"
#include "render/reader/played.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

struct driver;

struct subject {
    const char *path;
    const struct limits *limits;
    struct inspection film;
    struct played played; /* of a film; empty for picture files */
    char *unplayed;       /* why that cannot be read; NULL */
    const char *damaged;  /* the name of one of this program's tags that is damaged; NULL: none */
    bool ours;            /* the film has tags that only this program writes */
    struct scene *scene;  /* from the film's tag; NULL: no scene, or one that is refused */
    char *refusal;        /* why the scene is refused; NULL */
    bool has_range;       /* first, last and of are set from the tag of frames */
    uint64_t first, last, of;
    const struct driver *driver; /* that encoded the film, by its tag; NULL: unknown */
};

/* Call after the film has been inspected. Free in every case; the inspection is not freed. */
void subject_open(struct subject *subject, const char *path, const struct limits *limits);
void subject_close(struct subject *subject);

/* Returns the number, within the scene's film, of the i-th frame. */
uint64_t subject_frame(const struct subject *subject, uint64_t index);

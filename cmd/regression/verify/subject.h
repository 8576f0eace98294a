/* The film that is verified: what the file holds, and what it says of itself. */
#ifndef CMD_REGRESSION_VERIFY_SUBJECT_H
#define CMD_REGRESSION_VERIFY_SUBJECT_H

#include "cmd/regression/judge/report.h"
#include "render/inspect/inspection.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

struct driver;

struct subject {
    const char *path;
    const struct limits *limits;
    struct inspection film;
    const char *damaged; /* the name of a tag of this program that is; NULL: none */
    bool ours;           /* it has tags that only this program writes */
    struct scene *scene; /* of its tag; NULL: none, or one that is refused */
    char *refusal;       /* why the scene is; NULL */
    bool has_range;      /* first, last, of: its tag of frames */
    uint64_t first, last, of;
    const struct driver *driver; /* that encoded it, by its tag; NULL: not known */
};

/* After the film has been inspected. Free in every case; the inspection is not freed. */
void subject_open(struct subject *subject, const char *path, const struct limits *limits);
void subject_close(struct subject *subject);

/* Number within the scene's film of the i-th frame. */
uint64_t subject_frame(const struct subject *subject, uint64_t index);

#endif

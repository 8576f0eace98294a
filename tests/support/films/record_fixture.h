/* Records for tests of comparisons: synthetic, with plausible values for every frame, or of a small
 * real simulation. Free with record_free. */
#pragma once

#include "cmd/regression/record/record.h"

/* A film in MP4 with a scene of a few keys, in which hardly anything moves. */
void record_fixture_make(struct record *record, uint64_t frames);

/* Whether the finished film shows the picture of that frame, as far as is recorded. */
static inline bool record_is_shown(const struct record *record, uint64_t frame)
{
    bool shown = !record->shows;
    for (uint64_t i = 0; i < record->shown && !shown; i++)
        shown = record->shows[i] == frame;
    return shown;
}

/* Replaces an owned text. */
void record_fixture_text(char **text, const char *with);

/* How a simulation differs from the usual one; zero: not at all. */
struct record_run {
    uint32_t bodies, frames, steps; /* 256, 16, 4 */
    const char *force, *kernel;     /* "fast", "auto" */
    const char *integrator;         /* "kdk" */
    double dt, mass, softening;     /* factors */
    double perturbed;               /* positions, relative */
    uint32_t skipped;               /* bodies that do not attract */
    uint32_t subset;
    uint64_t from; /* skipped from this frame on */
    bool rounded;  /* the state to float after every step */
};
/* A sphere of bodies at rest, of the physics alone. */
void record_fixture_run(struct record *record, const struct record_run *run);

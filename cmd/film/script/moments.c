#include "cmd/film/script/moments.h"

#include "base/text.h"
#include "scenes/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The same happens in a film stretched by --duration alone. */
#define LONGER "make the film longer with --frames N; --duration alone only stretches it"

bool moment_happens(const struct moment *moment)
{
    return moment->kind >= MOMENT_PERICENTRE;
}

bool moment_is_late(const struct moment *moment)
{
    return moment_happens(moment) && !(moment->kind == MOMENT_PERICENTRE && moment->value == 1);
}

/* A moment that is not reached because time stands still is after the film. Time stands still from
 * the whole frame nearest to its moment, which may be half a frame earlier. */
static double frame_of_time(double time, const struct moment_scale *scale)
{
    const struct frame_clock *clock = scale->clock;
    const double frame = frame_clock_frame(clock, time);
    const bool comes = !clock->freezes || frame <= (double)clock->freeze_frame + 0.5 + 1e-9;
    return comes ? frame : frame + (double)scale->frames;
}

/* Events of the film that a message names; more are counted. */
enum { NAMED = 8 };

/* Lists the moments that fall on a frame of the film. *found counts them. */
static void list(const struct moment_scale *scale, const char *what,
                 const struct encounter_moment *moments, size_t count, char **out, size_t *found)
{
    for (size_t i = 0; i < count && i < ENCOUNTER_MAX; i++) {
        const double frame = frame_of_time(moments[i].time, scale);
        if (round(frame) >= (double)scale->frames)
            break;
        if (++*found <= NAMED)
            text_append(out, ", ", "%s %zu at %.3g s", what, i + 1, frame / scale->fps);
    }
}

/* Lists the pericentres and apocentres of the film. */
static enum status not_that_often(const struct moment *moment, const struct moment_scale *scale)
{
    const struct encounter *happened = &scale->pilot->happened;
    char *has = NULL, number[32] = "";
    size_t found = 0;
    list(scale, moment_word(MOMENT_PERICENTRE), happened->pericentre, happened->pericentre_count,
         &has, &found);
    list(scale, moment_word(MOMENT_APOCENTRE), happened->apocentre, happened->apocentre_count, &has,
         &found);
    if (found > NAMED)
        text_append(&has, " ", "and %zu more", found - NAMED);
    if (moment->value != 1)
        snprintf(number, sizeof number, " %.0f", moment->value);
    const enum status status = status_fail(
        STATUS_USAGE,
        "there is no %s%s: the film is %.4g s long and has %s; give %sa time instead, or " LONGER,
        moment_word(moment->kind), number, (double)scale->frames / scale->fps,
        has ? has : "neither pericentre nor apocentre", has ? "one of these or " : "");
    free(has);
    return status;
}

static enum status find_event(const struct moment *moment, const struct moment_scale *scale,
                              double *time)
{
    const struct pilot *pilot = scale->pilot;
    const char *what = moment_word(moment->kind);
    if (!pilot || !pilot->separation)
        return status_fail(STATUS_USAGE,
                           "%s needs two galaxies with names, and the bodies have fewer; give a "
                           "time or a frame instead",
                           what);
    const struct encounter *happened = &pilot->happened;
    if (moment->kind == MOMENT_MERGER) {
        *time = happened->merger.time;
        return happened->merges
                   ? STATUS_OK
                   : status_fail(
                         STATUS_USAGE,
                         "the two galaxies have not merged by the end of the film, after %.4g s "
                         "(they must stay within %.3g of each other and have turned back there); "
                         "give a time instead, or " LONGER,
                         (double)scale->frames / scale->fps, pilot->touch);
    }
    bool near = moment->kind == MOMENT_PERICENTRE;
    size_t count = near ? happened->pericentre_count : happened->apocentre_count;
    if (moment->value > (double)count)
        return not_that_often(moment, scale);
    const struct encounter_moment *list = near ? happened->pericentre : happened->apocentre;
    *time = list[(size_t)moment->value - 1].time;
    return STATUS_OK;
}

static enum status find_redshift(const struct moment *moment, const struct moment_scale *scale,
                                 double *time)
{
    const struct cosmology *cosmology = &scale->cosmology;
    if (cosmology->hubble == 0)
        return status_fail(STATUS_USAGE,
                           "z=%g needs bodies of an expanding universe, and no expansion is known "
                           "for these bodies; give a time or a frame instead",
                           moment->value);
    const double age = cosmology_age(cosmology, 1 / (1 + moment->value));
    *time = age / cosmology->hubble - scale->age;
    return isfinite(age)
               ? STATUS_OK
               : status_fail(STATUS_USAGE,
                             "the universe of these bodies had no redshift %g; give a smaller one",
                             moment->value);
}

enum status moment_frame(const struct moment *moment, const struct moment_scale *scale,
                         double *frame)
{
    double time = moment->value;
    enum status status = STATUS_OK;
    switch (moment->kind) {
    case MOMENT_SECONDS:
        *frame = moment->value * scale->fps;
        break;
    case MOMENT_FRAME:
        *frame = moment->value;
        break;
    case MOMENT_START:
        *frame = 0;
        break;
    case MOMENT_END:
        *frame = (double)(scale->loops ? scale->frames : scale->frames - 1);
        break;
    case MOMENT_PERICENTRE:
    case MOMENT_APOCENTRE:
    case MOMENT_MERGER:
        status = find_event(moment, scale, &time);
        *frame = status == STATUS_OK ? frame_of_time(time, scale) : 0;
        break;
    case MOMENT_REDSHIFT:
        status = find_redshift(moment, scale, &time);
        *frame = status == STATUS_OK ? frame_of_time(time, scale) : 0;
        break;
    case MOMENT_TIME:
        *frame = frame_of_time(time, scale);
        break;
    }
    *frame += moment->shift * scale->fps;
    return status;
}

enum status moment_within(double frame, const struct moment_scale *scale)
{
    double frames = (double)scale->frames;
    if (frame >= -1e-9 && frame <= frames + 1e-9)
        return STATUS_OK;
    if (frame < 0)
        return status_fail(STATUS_USAGE,
                           "the moment is %.3g seconds before the film begins; give a later one",
                           -frame / scale->fps);
    if (scale->clock->freezes)
        return status_fail(
            STATUS_USAGE,
            "the moment is never reached: the film ends with frame %.0f, and its time stands still "
            "from frame %.0f on; give an earlier one, or a later simulation.freeze_at",
            frames - 1, (double)scale->clock->freeze_frame);
    return status_fail(STATUS_USAGE,
                       "the moment falls on frame %.0f, but the film ends with frame %.0f; give an "
                       "earlier one, or set output.frames to %.0f or more",
                       frame, frames - 1, ceil(frame) + 1);
}

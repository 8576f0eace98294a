#include "scenes/retime.h"

#include "base/text.h"
#include "scenes/keys.h"
#include "scenes/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of a step that rounding may make of it. */
static const double FITS = 1e-9;

static double rate(struct frame_rate fps)
{
    return (double)fps.num / fps.den;
}

/* From the old film to the new one. */
struct change {
    double pace;   /* simulated time per second, afterwards */
    double frames; /* afterwards */
    double slower; /* seconds of the new film for one of the old */
};

static struct change plan(const struct scene *scene, const struct retiming *how)
{
    const double frame_time = scene->simulation.dt * scene->simulation.steps_per_frame;
    const double before = frame_time * rate(how->from), fps = rate(scene->output.fps);
    const double story = frame_time * (double)scene->output.frames;
    struct change change = {.pace = before, .frames = (double)scene->output.frames};
    if (how->speed > 0)
        change.pace = before * how->speed;
    else if (how->duration > 0)
        change.pace = story / how->duration;
    if (how->duration > 0)
        change.frames = fmax(round(how->duration * fps), 1);
    else if (!how->frames_given)
        change.frames = fmax(round(story / change.pace * fps), 1);
    change.slower = before / change.pace;
    return change;
}

/* Of a key whose value has been worked out. */
static enum status check(const char *path, double value)
{
    const struct key *key = key_path_find(path);
    if (value >= key->min && value <= key->max)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "with this duration, speed or rate %s would be %.6g, and it can be %.6g to "
                       "%.6g; choose others",
                       path, value, key->min, key->max);
}

/* A text that reads as the moment. */
static char *spell(const struct moment *moment)
{
    int length = (int)strcspn(moment->text, "+-"); /* no form has a sign of its own */
    while (length > 0 && moment->text[length - 1] == ' ')
        length--;
    char *form = moment->kind == MOMENT_SECONDS ? text_format("%.17g", moment->value)
                                                : text_format("%.*s", length, moment->text);
    if (moment->shift == 0)
        return form;
    char *text =
        text_format("%s %c %.17g", form, moment->shift < 0 ? '-' : '+', fabs(moment->shift));
    free(form);
    return text;
}

static void retime_moment(struct moment *moment, double from, double slower)
{
    const bool counted = moment->kind == MOMENT_FRAME;
    if (counted)
        moment->value /= from;
    if (counted || moment->kind == MOMENT_SECONDS) {
        moment->kind = MOMENT_SECONDS;
        moment->value *= slower;
    } else if (moment->shift == 0) {
        return; /* what happens stays what happens */
    }
    moment->shift *= slower;
    char *text = spell(moment);
    free(moment->text);
    moment->text = text;
}

static void retime_moments(struct scene *scene, double from, double slower)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        if (key->type != KEY_LIST)
            continue;
        char *items = list_items(key, scene);
        for (uint32_t n = 0; n < *list_count(key, scene); n++)
            for (size_t k = 0; k < key->list->key_count; k++)
                if (key->list->keys[k].type == KEY_MOMENT)
                    retime_moment((struct moment *)(void *)(items + n * key->list->item_size +
                                                            key->list->keys[k].offset),
                                  from, slower);
    }
}

/* Steps that are no longer than they were; where they fit, they are what they were to the bit. */
static void divide_frame(struct simulation_params *simulation, double frame_time, double steps)
{
    const double before = simulation->dt;
    simulation->steps_per_frame = (uint32_t)steps;
    if (fabs(frame_time / before - steps) > FITS * steps)
        simulation->dt = frame_time / steps;
    if (simulation->damping > 0 && simulation->damping < 1)
        simulation->damping = pow(simulation->damping, simulation->dt / before);
}

enum status scene_retime(struct scene *scene, const struct retiming *how)
{
    const double fps = rate(scene->output.fps), from = rate(how->from);
    if (how->duration > 0 && how->frames_given)
        return status_fail(STATUS_USAGE, "a duration and a number of frames both say how long the "
                                         "film is; give one of them, or a --speed");
    if (how->duration == 0 && how->speed == 0 && fps == from)
        return STATUS_OK;
    const struct change change = plan(scene, how);
    const double frame_time = change.pace / fps;
    const double steps = fmax(ceil(frame_time / scene->simulation.dt * (1 - FITS)), 1);
    enum status status = check("output.frames", change.frames);
    if (status == STATUS_OK)
        status = check("simulation.steps_per_frame", steps);
    if (status != STATUS_OK)
        return status;
    scene->output.frames = (uint64_t)change.frames;
    divide_frame(&scene->simulation, frame_time, steps);
    retime_moments(scene, from, change.slower);
    return STATUS_OK;
}

#include "scenes/retime.h"

#include "base/functions/fn.h"
#include "base/text.h"
#include "scenes/keys.h"
#include "scenes/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding error allowed, as a part of a step. */
static const double FITS = 1e-9;

static double rate(struct frame_rate fps)
{
    return (double)fps.num / fps.den;
}

/* The change from the old film to the new one. */
struct change {
    double pace;   /* new simulated time per second */
    double frames; /* new number of frames */
    double slower; /* seconds of the new film per second of the old */
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

/* Checks a computed value against its key's range. */
static enum status check(const char *path, double value)
{
    const struct key *key = key_path_find(path);
    if (value >= key->min && value <= key->max)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "this duration, speed or rate makes %s %.6g, but the range is %.6g to %.6g; choose another",
        path, value, key->min, key->max);
}

/* Length of the moment's form, without the added or subtracted seconds. */
static int form_length(const struct moment *moment)
{
    int length = (int)strcspn(moment->text, "+-"); /* no form contains a sign */
    while (length > 0 && moment->text[length - 1] == ' ')
        length--;
    return length;
}

/* A text that parses to the moment. */
static char *spell(const struct moment *moment)
{
    const int length = form_length(moment);
    char *form = moment->kind == MOMENT_SECONDS ? text_format("%.17g", moment->value)
                                                : text_format("%.*s", length, moment->text);
    if (moment->shift == 0)
        return form;
    char *text =
        text_format("%s %c %.17g", form, moment->shift < 0 ? '-' : '+', fabs(moment->shift));
    free(form);
    return text;
}

static double to_ms(double seconds)
{
    return fabs(seconds) < 0.1e-2 ? seconds : round(1e3 * seconds) / 1e3;
}

/* The moment in words for people, to milliseconds. */
static void say(const struct moment *moment, char *out, size_t size)
{
    int length = form_length(moment);
    if (moment->kind == MOMENT_SECONDS)
        length = snprintf(out, size, "%.6g s", to_ms(moment->value));
    else
        length = snprintf(out, size, "%.*s", length < 24 ? length : 24, moment->text);
    if (moment->shift != 0)
        snprintf(out + length, size - (size_t)length, " %c %.6g s", moment->shift < 0 ? '-' : '+',
                 to_ms(fabs(moment->shift)));
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
        return; /* events stay at their events */
    }
    moment->shift *= slower;
    char *text = spell(moment);
    free(moment->text);
    moment->text = text;
}

/* Parameters of moving moments: `from` and `slower` as below, and where to record the change. */
struct shift {
    double from, slower;
    struct retimed *told; /* NULL: nothing is recorded */
};

static void tell(const struct shift *shift, const char *before, const struct moment *moment)
{
    struct retimed *told = shift->told;
    char after[sizeof told->after];
    say(moment, after, sizeof after);
    if (strcmp(before, after) == 0 || told->before[0])
        return;
    snprintf(told->before, sizeof told->before, "%s", before);
    snprintf(told->after, sizeof told->after, "%s", after);
}

static void move(const struct shift *shift, struct moment *moment)
{
    char before[sizeof shift->told->before];
    say(moment, before, sizeof before);
    retime_moment(moment, shift->from, shift->slower);
    if (shift->told && shift->slower != 1)
        tell(shift, before, moment);
}

static void move_list(const struct shift *shift, const struct key *key, struct scene *scene)
{
    char *items = list_items(key, scene);
    for (uint32_t n = 0; n < *list_count(key, scene); n++)
        for (size_t k = 0; k < key->list->key_count; k++)
            if (key->list->keys[k].type == KEY_MOMENT)
                move(shift, (struct moment *)(void *)(items + n * key->list->item_size +
                                                      key->list->keys[k].offset));
}

static void retime_moments(struct scene *scene, const struct retiming *how, double slower,
                           struct retimed *out)
{
    const bool paced = how->duration > 0 || how->speed > 0;
    const struct shift shift = {rate(how->from), slower, out};
    for (size_t i = 0; i < scene_key_count; i++) {
        char path[KEY_PATH];
        key_path(&scene_keys[i], path);
        if (paced && scene_is_option(scene, path))
            continue;
        struct key_track track;
        if (key_track(&scene_keys[i], &track))
            move_list(&shift, &track.key, scene);
        else if (scene_keys[i].type == KEY_LIST)
            move_list(&shift, &scene_keys[i], scene);
        else if (scene_keys[i].type == KEY_MOMENT)
            move(&shift, (struct moment *)(void *)((char *)scene + scene_keys[i].offset));
    }
}

/* Chooses steps that are no longer than before; where the old ones fit, they stay identical. */
static void divide_frame(struct simulation_params *simulation, double frame_time, double steps)
{
    const double before = simulation->dt;
    simulation->steps_per_frame = (uint32_t)steps;
    if (fabs(frame_time / before - steps) > FITS * steps)
        simulation->dt = frame_time / steps;
    if (simulation->damping > 0 && simulation->damping < 1)
        simulation->damping = fn_pow(simulation->damping, simulation->dt / before);
}

bool scene_shorten_fades(struct scene *scene, double seconds)
{
    static const double usual = 16, readable = 0.6;
    struct {
        const char *path;
        double *value, least;
    } times[] = {{"look.fade_in", &scene->look.fade_in, 0},
                 {"look.fade_out", &scene->look.fade_out, 0},
                 {"overlay.card", &scene->overlay.card, readable}};
    const double part = scene_seconds(scene, scene->output.frames) / fmin(seconds, usual);
    bool changed = false;
    for (size_t i = 0; part < 1 - FITS && i < sizeof times / sizeof *times; i++) {
        if (*times[i].value == 0 || scene_is_option(scene, times[i].path))
            continue;
        *times[i].value *= part;
        if (*times[i].value < times[i].least)
            *times[i].value = 0;
        changed = true;
    }
    return changed;
}

enum status scene_retime(struct scene *scene, const struct retiming *how, struct retimed *out)
{
    if (out)
        *out = (struct retimed){0};
    const double fps = rate(scene->output.fps), from = rate(how->from);
    if (how->duration > 0 && how->frames_given)
        return status_fail(STATUS_USAGE, "a duration and a number of frames both set the length of "
                                         "the film; give one of them, or a --speed");
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
    retime_moments(scene, how, change.slower, out);
    return STATUS_OK;
}

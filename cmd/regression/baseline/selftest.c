#include "cmd/regression/baseline/selftest.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/baseline/gallery.h"
#include "cmd/regression/baseline/pictures.h"
#include "cmd/regression/controls/control.h"
#include "cmd/regression/judge/judge.h"
#include "scenes/check.h"
#include "scenes/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FRAMES: length of the test film, short enough that a capture keeps all its pictures. */
enum { FRAMES = 12, HALVINGS = 4 };

struct film_made {
    struct record record;
    struct capture capture;
};

struct test {
    struct selftest *of;
    struct scene *scene;
    struct film_made honest;
    struct picture reel[FRAMES]; /* the unchanged pictures; their memory is the capture's */
};

static void free_made(struct film_made *made)
{
    record_free(&made->record);
    capture_free(&made->capture);
}

/* ---- a film with one control ---- */

/* `run` is passed to the control's hooks; the capture keeps the film's pictures while they are
 * recorded. */
struct control_film {
    struct control_run run;
    struct capture *capture;
};

static enum status keep_picture(void *user, struct picture *picture)
{
    struct record_hooks keep;
    capture_hook(((struct control_film *)user)->capture, &keep);
    return keep.encoding(keep.user, picture);
}

/* `control` may be NULL. */
static enum status make_film(const struct test *test, struct control_film *film,
                             const struct control *control, struct film_made *made)
{
    struct run_params run = test->of->run;
    struct record_hooks hooks = {0};
    if (control)
        hooks = control_hooks(&film->run);
    hooks.user = film;
    hooks.encoding = keep_picture;
    film->capture = &made->capture;
    run.scene = test->scene;
    run.hooks = &hooks;
    run.diagnostics = true;
    run.expected = NULL;
    capture_choose(&made->capture, test->scene->output.frames);
    return run_film(&run, &made->record);
}

/* ---- judging ---- */

struct outcome {
    bool seen;
    int stage; /* -1: none */
};

/* `elsewhere`: judge as if on another platform, by limits instead of bits. */
static enum status judge(const struct test *test, const struct film_made *now, bool elsewhere,
                         struct outcome *out)
{
    static char other[] = "another one";
    struct report report = {0};
    struct case_report *one = report_add_case(&report, "control");
    struct record moved = now->record;
    one->frames = test->honest.record.count;
    if (elsewhere)
        moved.platform = (struct platform){other, other, other, other, other};
    struct gallery gallery = {.then = &test->honest.capture,
                              .now = &now->capture,
                              .limits = test->of->limits,
                              .one = one};
    const struct comparison comparison = {.before = &test->honest.record,
                                          .now = &moved,
                                          .limits = test->of->limits,
                                          .details = gallery_details(&gallery)};
    enum status status = judge_records(&comparison, one);
    case_conclude(one);
    *out = (struct outcome){!verdict_passes(one->verdict), one->stage};
    gallery_close(&gallery);
    report_free(&report);
    return status;
}

/* Makes the control with the given size; *acted: whether it found something to change. */
static enum status make(struct test *test, const struct control *control, double size, bool *acted,
                        struct outcome *same, struct outcome *elsewhere)
{
    struct control_film film;
    struct film_made now = {0};
    control_run_open(&film.run, control, test->scene->output.frames);
    if (size > 0)
        film.run.size = size;
    film.run.reel = test->reel;
    enum status status = make_film(test, &film, control, &now);
    *acted = film.run.changed > 0;
    if (status == STATUS_OK)
        status = judge(test, &now, false, same);
    if (status == STATUS_OK)
        status = judge(test, &now, true, elsewhere);
    free_made(&now);
    control_run_close(&film.run);
    return status;
}

/* ---- one control ---- */

static void tell(const struct test *test, const struct control *control, double size,
                 const struct outcome *last)
{
    char text[64] = "bits only";
    if (size > 0 && control->unit)
        snprintf(text, sizeof text, "%.3g %s", size, control->unit);
    else if (last->seen)
        snprintf(text, sizeof text, "seen");
    test->of->tell(test->of->user, control->name, text,
                   last->stage >= 0 ? (enum judged)last->stage : control->stage);
}

static enum status try_control(struct test *test, const struct control *control)
{
    struct outcome same, elsewhere, smaller;
    bool acted;
    enum status status = make(test, control, 0, &acted, &same, &elsewhere);
    if (status != STATUS_OK || !acted)
        return status;
    if (!same.seen)
        return status_fail(
            STATUS_MISMATCH,
            "the check misses the self-test's change '%s' (%s), so it cannot be trusted",
            control->name, control->doc);
    double size = elsewhere.seen ? control->size : 0;
    for (int h = 0; h < HALVINGS && control->searched && size > 0 && status == STATUS_OK; h++) {
        status = make(test, control, size / 2, &acted, &same, &smaller);
        if (!acted || !smaller.seen)
            break;
        size /= 2;
        elsewhere = smaller;
    }
    if (status == STATUS_OK)
        tell(test, control, size, elsewhere.seen ? &elsewhere : &same);
    return status;
}

/* Returns whether the control can be made: a picture sequence has no encoder whose mistakes could
 * be imitated. */
static bool can_act(const struct test *test, const struct control *control)
{
    const char *format = test->of->run.format;
    return !control_why_not(control, test->scene) &&
           !(control->hooks.sink && format && strcmp(format, "png") == 0);
}

/* ---- the whole ---- */

static bool shorten(struct test *test)
{
    char *text = scene_print(test->of->run.scene), frames[32];
    const uint64_t whole = test->of->run.scene->output.frames;
    snprintf(frames, sizeof frames, "%llu", (unsigned long long)(whole < FRAMES ? whole : FRAMES));
    enum status status = scene_parse(&test->scene, text, "the self-test's scene");
    free(text);
    if (status != STATUS_OK) {
        test->scene = NULL;
        return false;
    }
    return scene_set(test->scene, "output.frames", frames, "the self-test") == STATUS_OK &&
           scene_validate(test->scene) == STATUS_OK;
}

static void fill_reel(struct test *test)
{
    for (uint64_t f = 0; f < FRAMES; f++) {
        const struct picture *picture = capture_picture(&test->honest.capture, f);
        if (picture)
            test->reel[f] = *picture;
    }
}

enum status selftest_make(struct selftest *selftest)
{
    struct test test = {.of = selftest};
    enum status status = STATUS_OK;
    const struct control *control;
    if (!shorten(&test)) {
        log_warning("no self-test: the scene cannot be made as a film of %d frames: %s", FRAMES,
                    status_text());
        scene_close(&test.scene);
        return STATUS_OK;
    }
    /* Suppresses the messages of the films that are made with mistakes. */
    const enum log_level level = log_get_level();
    log_set_level(LOG_ERROR);
    status = make_film(&test, &(struct control_film){0}, NULL, &test.honest);
    if (status == STATUS_OK)
        fill_reel(&test);
    for (size_t i = 0; status == STATUS_OK && (control = choice_at(&control_registry, i)); i++)
        if (can_act(&test, control))
            status = try_control(&test, control);
    log_set_level(level);
    free_made(&test.honest);
    scene_close(&test.scene);
    return status;
}

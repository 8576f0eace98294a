/* Makes two films, one correct and one with a control, for viewing and for comparison by other
 * programs. Usage: controls --list | controls NAME A B (films or patterns of PNG files) */
#include "base/log.h"
#include "base/memory.h"
#include "tests/support/controls/control_judge.h"
#include "tests/support/controls/controlled_film.h"
#include "tests/support/controls/all.h"
#include "tests/support/controls/noise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list(void)
{
    const struct control *control;
    for (size_t i = 0; (control = choice_at(&all_controls, i)) != NULL; i++)
        printf("%s\t%s\t%s\t%s\n", control->name, control_kind(control),
               ((const struct choice *)choice_at(&judged_registry, control->stage))->name,
               control->doc);
    return 0;
}

static const char *stage_of(int stage)
{
    const struct choice *choice = stage >= 0 ? choice_at(&judged_registry, (size_t)stage) : NULL;
    return choice ? choice->name : "";
}

/* "NAME, what bits say, what limits say, the sentence", separated by tabs. */
static enum status judge_one(struct control_judge *judge, const struct control *control)
{
    struct control_verdict same, elsewhere = {.stage = -1};
    enum status status = control_judge_make(judge, control, 0, &same, &elsewhere);
    if (status != STATUS_OK)
        return status;
    if (same.why_not)
        printf("%s\t%s\t\t\n", control->name, same.why_not);
    else
        printf("%s\t%s%s\t%s%s\t%s\n", control->name,
               verdict_passes(same.verdict) ? "missed" : "caught, ", stage_of(same.stage),
               verdict_passes(elsewhere.verdict) ? "missed" : "caught, ", stage_of(elsewhere.stage),
               elsewhere.sentence);
    fflush(stdout);
    return STATUS_OK;
}

static enum status judge_all(int count, char **names)
{
    struct control_judge judge;
    const struct control *control;
    enum status status = control_judge_open(&judge);
    for (size_t i = 0; status == STATUS_OK && (control = choice_at(&all_controls, i)) != NULL;
         i++) {
        bool asked = count == 0;
        for (int n = 0; n < count; n++)
            asked = asked || strcmp(names[n], control->name) == 0;
        if (asked)
            status = judge_one(&judge, control);
    }
    control_judge_close(&judge);
    return status;
}

/* Changes without effect must pass on another platform. */
static enum status judge_noise(const char *name, const char *seed)
{
    const struct choice *found;
    struct control_judge judge;
    struct control_verdict same, elsewhere = {.stage = -1};
    enum status status = choice_require(&noise_registry, name, &found);
    if (status != STATUS_OK)
        return status;
    status = control_judge_open(&judge);
    if (status == STATUS_OK)
        status = control_judge_make(&judge, (const struct control *)found, strtod(seed, NULL),
                                    &same, &elsewhere);
    control_judge_close(&judge);
    if (status != STATUS_OK)
        return status;
    if (same.why_not)
        return status_fail(STATUS_RUNTIME, "%s was not made: %s", name, same.why_not);
    printf("%s\n", elsewhere.sentence);
    /* The force exact does not depend on the processor: its bits are compared. */
    if (strncmp(name, "exact_", 6) == 0 && !verdict_passes(same.verdict))
        return STATUS_MISMATCH;
    return verdict_passes(elsewhere.verdict) ? STATUS_OK : STATUS_MISMATCH;
}

enum { FRAMES = 12 };

/* Fills a reel while a correct film is made. */
static enum status keep_picture(void *user, struct picture *picture)
{
    struct picture *copy = (struct picture *)user + picture->frame;
    if (picture->frame >= FRAMES)
        return STATUS_OK;
    *copy = *picture;
    copy->data = memory_new(1, picture->layout.size);
    memcpy(copy->data, picture->data, picture->layout.size);
    return STATUS_OK;
}

static enum status make(const struct control *control, const char *path,
                        const struct record_hooks *hooks)
{
    struct scene *scene;
    enum status status = controlled_scene(&scene, control->name);
    const char *why = status == STATUS_OK ? control_why_not(control, scene) : NULL;
    if (why)
        status =
            status_fail(STATUS_USAGE, "%s cannot be made of the scene: %s", control->name, why);
    if (status == STATUS_OK)
        status = controlled_film(scene, path, hooks);
    scene_close(&scene);
    return status;
}

int main(int count, char **words)
{
    const struct choice *found;
    struct control_run run;
    if (count == 2 && strcmp(words[1], "--list") == 0)
        return list();
    if (count == 4 && strcmp(words[1], "--noise") == 0) {
        enum status judged = judge_noise(words[2], words[3]);
        if (judged != STATUS_OK && judged != STATUS_MISMATCH)
            log_error("%s", status_text());
        return (int)judged;
    }
    if (count >= 2 && strcmp(words[1], "--judge") == 0) {
        enum status judged = judge_all(count - 2, words + 2);
        if (judged != STATUS_OK)
            log_error("%s", status_text());
        return (int)judged;
    }
    if (count != 4) {
        fprintf(stderr, "usage: controls --list | controls --judge [NAME...] | controls --noise "
                        "NAME SEED | controls NAME A B\n");
        return STATUS_USAGE;
    }
    enum status status = choice_require(&all_controls, words[1], &found);
    if (status == STATUS_OK) {
        const struct control *control = (const struct control *)found;
        struct picture reel[FRAMES] = {0};
        const struct record_hooks honest = {.user = reel, .picture = keep_picture};
        control_run_open(&run, control, FRAMES);
        run.reel = reel;
        const struct record_hooks changed = control_hooks(&run);
        status = make(control, words[2], &honest);
        if (status == STATUS_OK)
            status = make(control, words[3], &changed);
        if (status == STATUS_OK && run.changed == 0)
            status = status_fail(STATUS_RUNTIME, "%s has changed nothing", control->name);
        control_run_close(&run);
        for (int f = 0; f < FRAMES; f++)
            free(reel[f].data);
    }
    if (status != STATUS_OK)
        log_error("%s", status_text());
    return (int)status;
}

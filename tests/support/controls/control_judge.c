#include "tests/support/controls/control_judge.h"

#include "base/memory.h"
#include "tests/support/controls/canvas.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/judge/picture_judge.h"
#include "cmd/regression/record/recorder.h"
#include "scenes/print.h"
#include "tests/support/controls/controlled_film.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- pictures measured ---- */

struct reels {
    const struct picture *before, *now; /* [CONTROL_FRAMES] */
    const struct limits *limits;
};

static enum status fill(struct planes *planes, const struct picture *picture)
{
    struct canvas canvas;
    enum status status = canvas_open(&canvas, picture);
    if (status != STATUS_OK)
        return status;
    const size_t samples = (size_t)canvas.width * canvas.height * 3;
    uint16_t *rgb = memory_new(samples, sizeof *rgb);
    for (size_t i = 0; i < samples; i++)
        rgb[i] = (uint16_t)lrint((double)canvas.rgb[i] * 65535);
    status = planes_open(planes, canvas.width, canvas.height);
    if (status == STATUS_OK)
        planes_fill(planes, rgb);
    free(rgb);
    canvas_close(&canvas);
    return status;
}

static enum status measure_frame(const struct reels *reels, struct picture_judge *judge,
                                 uint64_t index, uint64_t frame)
{
    struct planes before = {0}, now = {0};
    struct measurer *measurer = NULL;
    struct measure measure;
    const struct measure_params params = picture_params(reels->limits);
    enum status status = fill(&before, &reels->before[frame]);
    if (status == STATUS_OK)
        status = fill(&now, &reels->now[frame]);
    if (status == STATUS_OK)
        status = measurer_open(&measurer, before.width, before.height, &params);
    if (status == STATUS_OK) {
        measure_pictures(measurer, &before, &now, NULL, &measure);
        picture_judge_add(judge, index, (int64_t)frame, &measure);
    }
    measurer_close(&measurer);
    planes_close(&before);
    planes_close(&now);
    return status;
}

static enum status measure_frames(void *user, const uint64_t *frames, size_t count,
                                  struct stage_report *stage, size_t *measured)
{
    const struct reels *reels = user;
    struct report scratch = {0};
    struct picture_judge *judge;
    enum status status = STATUS_OK;
    *measured = 0;
    if (!reels->before || !reels->now)
        return STATUS_OK;
    picture_judge_open(&judge, reels->limits, count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++, ++*measured)
        if (frames[i] < CONTROL_FRAMES)
            status = measure_frame(reels, judge, i, frames[i]);
    picture_judge_end(judge, report_add_case(&scratch, "scratch"), stage);
    picture_judge_close(&judge);
    report_free(&scratch);
    return status;
}

/* ---- records judged ---- */

static void list_found(const struct case_report *one, char *out, size_t size)
{
    size_t used = 0;
    *out = '\0';
    for (int s = 0; s < JUDGED_COUNT; s++)
        for (uint32_t i = 0; i < one->stages[s].finding_count && used < size; i++) {
            const struct finding *finding = &one->stages[s].findings[i];
            if (finding->verdict >= VERDICT_WARNED)
                used +=
                    (size_t)snprintf(out + used, size - used, ", %s %s @%lld", finding->rule->name,
                                     verdict_name(finding->verdict), (long long)finding->frame);
        }
}

enum status control_judge_records(const struct record *before, const struct record *now,
                                  const struct picture *before_reel, const struct picture *now_reel,
                                  bool elsewhere, struct control_verdict *out)
{
    static char other[] = "elsewhere";
    struct record moved = *now;
    struct limits *limits;
    struct report report = {0};
    struct reels reels = {before_reel, now_reel, NULL};
    if (elsewhere)
        moved.platform = (struct platform){other, other, other, other, other};
    limits_open(&limits);
    reels.limits = limits;
    const struct comparison comparison = {
        .before = before,
        .now = &moved,
        .limits = limits,
        .details = {.user = &reels, .pictures = measure_frames},
    };
    struct case_report *one = report_add_case(&report, "control");
    enum status status = judge_records(&comparison, one);
    /* A check then encodes the baseline's own pictures, which this encoder did for the baseline. */
    if (status == STATUS_OK && one->stages[JUDGED_PICTURE].verdict != VERDICT_SAME) {
        struct comparison encoded = comparison;
        encoded.now = before;
        status = judge_stage(&encoded, JUDGED_PACKETS, &one->stages[JUDGED_PACKETS]);
        if (status == STATUS_OK)
            status = judge_stage(&encoded, JUDGED_CONTAINER, &one->stages[JUDGED_CONTAINER]);
    }
    case_conclude(one);
    out->verdict = one->verdict;
    out->stage = one->stage;
    out->first_frame = one->stage >= 0 ? one->stages[one->stage].first_frame : -1;
    snprintf(out->sentence, sizeof out->sentence, "%s", one->sentence ? one->sentence : "");
    list_found(one, out->found, sizeof out->found);
    report_free(&report);
    limits_close(&limits);
    return status;
}

/* ---- films ---- */

static enum status record(const struct control_judge *judge, const struct scene *scene,
                          const struct record_hooks *hooks, struct record *out)
{
    char output[160];
    snprintf(output, sizeof output, "%s/film.mp4", judge->folder);
    const struct record_request request = {.scene = scene,
                                           .name = "the scene of the controls",
                                           .output = output,
                                           .format = "",
                                           .backend = "cpu",
                                           .last = UINT64_MAX,
                                           .encoders = 1,
                                           .diagnostics = true,
                                           .hooks = hooks};
    return record_film(&request, out);
}

/* Takes the place of the control's hooks on pictures, to keep what they leave. */
struct taker {
    struct record_hooks of;
    struct picture *reel;
};

static void take_scene(void *user, struct scene *scene)
{
    struct taker *taker = user;
    if (taker->of.scene)
        taker->of.scene(taker->of.user, scene);
}

static void take_sink(void *user, struct sink_params *params)
{
    struct taker *taker = user;
    if (taker->of.sink)
        taker->of.sink(taker->of.user, params);
}

static enum status take_drawing(void *user, struct renderer *renderer, struct view *view)
{
    struct taker *taker = user;
    return taker->of.drawing ? taker->of.drawing(taker->of.user, renderer, view) : STATUS_OK;
}

static enum status take_picture(void *user, struct picture *picture)
{
    struct taker *taker = user;
    enum status status = taker->of.picture ? taker->of.picture(taker->of.user, picture) : STATUS_OK;
    if (status != STATUS_OK || picture->frame >= CONTROL_FRAMES)
        return status;
    struct picture *copy = &taker->reel[picture->frame];
    free(copy->data);
    *copy = *picture;
    copy->data = memory_new(1, picture->layout.size);
    memcpy(copy->data, picture->data, picture->layout.size);
    return STATUS_OK;
}

static enum status take_encoding(void *user, struct picture *picture)
{
    struct taker *taker = user;
    return taker->of.encoding ? taker->of.encoding(taker->of.user, picture) : STATUS_OK;
}

static enum status take_file(void *user, const char *path)
{
    struct taker *taker = user;
    return taker->of.file ? taker->of.file(taker->of.user, path) : STATUS_OK;
}

static enum status record_and_take(const struct control_judge *judge, const struct scene *scene,
                                   struct record_hooks of, struct picture reel[CONTROL_FRAMES],
                                   struct record *out)
{
    struct taker taker = {of, reel};
    const struct record_hooks hooks = {.user = &taker,
                                       .scene = of.scene ? take_scene : NULL,
                                       .sink = of.sink ? take_sink : NULL,
                                       .drawing = take_drawing,
                                       .picture = take_picture,
                                       .encoding = take_encoding,
                                       .file = take_file};
    return record(judge, scene, &hooks, out);
}

static void free_reel(struct picture reel[CONTROL_FRAMES])
{
    for (int i = 0; i < CONTROL_FRAMES; i++)
        free(reel[i].data);
}

static enum status find_honest(struct control_judge *judge, const struct scene *scene,
                               struct honest **out)
{
    char *text = scene_print(scene);
    for (int i = 0; i < judge->honest_count; i++)
        if (strcmp(judge->honest[i].scene, text) == 0) {
            *out = &judge->honest[i];
            free(text);
            return STATUS_OK;
        }
    if (judge->honest_count == HONEST_MOST) {
        free(text);
        return status_fail(STATUS_RUNTIME, "more scenes than HONEST_MOST");
    }
    struct honest *honest = *out = &judge->honest[judge->honest_count++];
    honest->scene = text;
    return record_and_take(judge, scene, (struct record_hooks){0}, honest->reel, &honest->record);
}

static enum status make(struct control_judge *judge, const struct scene *scene,
                        struct control_run *run, struct control_verdict *same,
                        struct control_verdict *elsewhere)
{
    struct honest *honest = NULL;
    struct record now = {0};
    struct picture reel[CONTROL_FRAMES] = {0};
    enum status status = find_honest(judge, scene, &honest);
    if (status != STATUS_OK)
        return status;
    run->reel = honest->reel;
    status = record_and_take(judge, scene, control_hooks(run), reel, &now);
    /* A film that cannot be read is no film: its packets are told of. */
    if (status != STATUS_OK && run->control->hooks.file) {
        *same = (struct control_verdict){.verdict = VERDICT_CHANGED, .stage = JUDGED_PACKETS};
        snprintf(same->sentence, sizeof same->sentence, "%s", status_text());
        if (elsewhere)
            *elsewhere = *same;
        status = STATUS_OK;
    } else if (status == STATUS_OK) {
        status = control_judge_records(&honest->record, &now, honest->reel, reel, false, same);
        if (status == STATUS_OK && elsewhere)
            status =
                control_judge_records(&honest->record, &now, honest->reel, reel, true, elsewhere);
    }
    if (run->changed == 0)
        same->why_not = "it found nothing to change";
    free_reel(reel);
    record_free(&now);
    return status;
}

enum status control_judge_make(struct control_judge *judge, const struct control *control,
                               double size, struct control_verdict *same,
                               struct control_verdict *elsewhere)
{
    struct scene *scene;
    struct control_run run;
    *same = (struct control_verdict){.stage = -1};
    enum status status = controlled_scene(&scene, control->name);
    if (status != STATUS_OK)
        return status;
    same->why_not = control_why_not(control, scene);
    if (!same->why_not) {
        control_run_open(&run, control, CONTROL_FRAMES);
        if (size > 0)
            run.size = size;
        status = make(judge, scene, &run, same, elsewhere);
        control_run_close(&run);
    }
    scene_close(&scene);
    return status;
}

enum status control_judge_open(struct control_judge *judge)
{
    const char *base = getenv("TMPDIR");
    *judge = (struct control_judge){0};
    snprintf(judge->folder, sizeof judge->folder, "%s/gravreel-controls-XXXXXX",
             base && *base ? base : "/tmp");
    return mkdtemp(judge->folder)
               ? STATUS_OK
               : status_fail(STATUS_IO, "no folder for films: '%s'", judge->folder);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

void control_judge_close(struct control_judge *judge)
{
    for (int i = 0; i < judge->honest_count; i++) {
        free(judge->honest[i].scene);
        free_reel(judge->honest[i].reel);
        record_free(&judge->honest[i].record);
    }
    nftw(judge->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/advice.h"
#include "cmd/film/job/plan_file.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/stills/sheets.h"
#include "cmd/film/stills/still.h"
#include "render/reader/reader.h"
#include "scenes/value.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_COLUMNS = OPTION_OWN, KEY_ROWS, KEY_WIDTH, KEY_NO_LABELS, KEY_AT };
enum { CELLS_MAX = 100, MOMENTS_MAX = 256 };

struct sheet {
    struct render_options options;
    uint32_t columns, rows, width;
    bool no_labels, rows_given;
    uint32_t moment_count; /* 0: the pictures are spread evenly */
    struct moment moments[MOMENTS_MAX];

    /* One of the following is open. */
    struct reader *reader;
    struct scene *scene;
    struct snapshot snapshot;

    uint64_t first, last; /* first and last frame shown */
    uint32_t count;       /* number of pictures */
    uint64_t *frames;     /* [count], in the order on the sheet */
    bool *drawn;          /* [count] */
    struct sheet_page *page;
    uint16_t *rgb; /* one frame */
};

/* Takes one moment, or several separated by commas; no moment contains a comma. */
static enum status take_moments(struct sheet *sheet, const char *argument)
{
    enum status status = STATUS_OK;
    for (const char *at = argument; at && status == STATUS_OK;) {
        const char *comma = strchr(at, ',');
        char *text = text_format("%.*s", (int)(comma ? comma - at : (long)strlen(at)), at);
        if (sheet->moment_count == MOMENTS_MAX)
            status = status_fail(STATUS_USAGE, "--at can name %d moments at most", MOMENTS_MAX);
        else if (moment_parse(text, &sheet->moments[sheet->moment_count]) != STATUS_OK)
            status = status_prefix(STATUS_USAGE, "--at");
        else
            sheet->moments[sheet->moment_count++].text = memory_text(text);
        free(text);
        at = comma ? comma + 1 : NULL;
    }
    return status;
}

static enum status take(void *user, int key, char *argument)
{
    struct sheet *sheet = user;
    switch (key) {
    case KEY_COLUMNS:
        return count_parse("--columns", argument, CELLS_MAX, &sheet->columns);
    case KEY_AT:
        return take_moments(sheet, argument);
    case KEY_ROWS:
        sheet->rows_given = true;
        return count_parse("--rows", argument, CELLS_MAX, &sheet->rows);
    case KEY_WIDTH:
        return count_parse("--width", argument, SHEET_SIDE_MAX, &sheet->width);
    default:
        sheet->no_labels = true;
        return STATUS_OK;
    }
}

static enum status check_source(const struct render_options *options)
{
    if (scene_is_named(options->request.scene))
        return STATUS_OK;
    const char *of_scene = options->request.setting_count ? options->request.settings[0].origin
                           : options->request.bodies_from ? "--bodies-from"
                           : options->save_scene          ? "--save-scene"
                           : options->plan                ? "--plan"
                                                          : NULL;
    if (of_scene)
        return status_fail(STATUS_USAGE, "%s is for a scene, but '%s' is a film or a picture%s",
                           of_scene, options->request.scene,
                           strcmp(of_scene, "--frames") == 0 ? "; give --frames as A..B" : "");
    return STATUS_OK;
}

static enum status open_source(struct sheet *sheet)
{
    const struct render_options *options = &sheet->options;
    bool named = ranks_lead() && scene_is_named(options->request.scene);
    enum status status = ranks_first(&named, sizeof named);
    if (status != STATUS_OK || !named)
        return status == STATUS_OK && ranks_lead()
                   ? reader_open(&sheet->reader, options->request.scene)
                   : status;
    status = scene_request_open(&options->request, &sheet->scene);
    if (status == STATUS_OK)
        status = scene_request_find_bodies(&options->request, sheet->scene);
    if (status == STATUS_OK && ranks_lead())
        status = render_options_save(options, sheet->scene);
    char *plan = NULL;
    if (status == STATUS_OK)
        status = plan_find(&(struct plan_places){.given = options->plan}, sheet->scene, &plan);
    if (status == STATUS_OK)
        status =
            snapshot_open(&sheet->snapshot, &(struct film_options){.scene = sheet->scene,
                                                                   .backend = options->backend,
                                                                   .device = options->device,
                                                                   .format = PICTURE_RGBA16,
                                                                   .unfaded = !options->as_film,
                                                                   .plan = plan});
    if (status == STATUS_OK)
        advice_tell_left_out(&sheet->snapshot.film);
    free(plan);
    return status;
}

/* The frames and the size of the input. */
static struct reader_info describe(const struct sheet *sheet)
{
    if (sheet->reader)
        return *reader_info(sheet->reader);
    const struct output_params *output = &sheet->scene->output;
    return (struct reader_info){
        .width = output->size.width, .height = output->size.height, .frames = output->frames};
}

static void tell_unfaded(void)
{
    log_info("the sheet leaves out the film's fades; --as-film includes them");
}

/* Leaves out the dark frames of the fade-in and fade-out of a film whose tags contain its scene,
 * which has the lengths of the fades. */
static void leave_fades(struct sheet *sheet)
{
    const char *path = sheet->options.request.scene;
    struct scene *scene;
    if (!own_scene_possible(path) || own_scene_open(&scene, path) != STATUS_OK)
        return;
    const struct output_params *output = &scene->output;
    const double fps = (double)output->fps.num / output->fps.den;
    uint64_t first = sheet->first, last = sheet->last;
    while (first < last && look_fade(&scene->look, first, output->frames, fps) < 1)
        first++;
    while (last > first && look_fade(&scene->look, last, output->frames, fps) < 1)
        last--;
    scene_close(&scene);
    if (first == last || (first == sheet->first && last == sheet->last))
        return;
    tell_unfaded();
    sheet->first = first;
    sheet->last = last;
}

static enum status choose_frames(struct sheet *sheet, const struct reader_info *info)
{
    const struct render_options *options = &sheet->options;
    sheet->first = info->first;
    sheet->last = info->first + info->frames - 1;
    if (!options->has_range) {
        if (sheet->reader && !options->as_film && sheet->moment_count == 0)
            leave_fades(sheet);
        return STATUS_OK;
    }
    bool open_end = options->last == UINT64_MAX, open_start = options->first == 0;
    if (options->first > sheet->last || (!open_start && options->first < sheet->first) ||
        (!open_end && (options->last > sheet->last || options->last < sheet->first)))
        return status_fail(STATUS_USAGE, "--frames goes beyond '%s', which has frames %llu to %llu",
                           options->request.scene, (unsigned long long)sheet->first,
                           (unsigned long long)sheet->last);
    sheet->first = open_start ? sheet->first : options->first;
    sheet->last = open_end ? sheet->last : options->last;
    return STATUS_OK;
}

/* Finds the film's frame that is nearest to that many seconds after its start. */
static enum status find_second(const struct sheet *sheet, const char *text, double seconds,
                               uint64_t *frame)
{
    const uint64_t first = sheet->first, last = sheet->last;
    if (reader_time(sheet->reader, first) < 0 || reader_time(sheet->reader, last) < 0)
        return status_fail(STATUS_USAGE,
                           "--at %s: '%s' has no times for its frames; name a frame by number, "
                           "--at \"frame %llu\"",
                           text, sheet->options.request.scene, (unsigned long long)first);
    uint64_t low = first, high = last; /* the time of `low` is at most `seconds`, if that of any
                                        * frame is */
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (reader_time(sheet->reader, middle) <= seconds)
            low = middle;
        else
            high = middle - 1;
    }
    const double before = seconds - reader_time(sheet->reader, low);
    const double after = low < last ? reader_time(sheet->reader, low + 1) - seconds : HUGE_VAL;
    *frame = after < before ? low + 1 : low;
    const double length =
        low > first ? reader_time(sheet->reader, low) - reader_time(sheet->reader, low - 1)
                    : HUGE_VAL;
    if (low == last && before > length)
        return status_fail(STATUS_USAGE, "--at %s is after the end of '%s', at %.6g s", text,
                           sheet->options.request.scene, reader_time(sheet->reader, last));
    return STATUS_OK;
}

/* Finds the frame of a moment. A film file has only seconds and frames; moments of events need the
 * scene. */
static enum status find_frame(const struct sheet *sheet, const struct moment *moment,
                              uint64_t *frame)
{
    const double at = moment->kind == MOMENT_END     ? (double)sheet->last
                      : moment->kind == MOMENT_START ? (double)sheet->first
                                                     : moment->value;
    if (moment->kind == MOMENT_SECONDS)
        return find_second(sheet, moment->text, at + moment->shift, frame);
    if (moment->kind != MOMENT_FRAME && moment->kind != MOMENT_START && moment->kind != MOMENT_END)
        return status_fail(STATUS_USAGE,
                           "--at %s needs a scene, but '%s' is a film or a picture; name its "
                           "scene, or a moment such as 12.5 or \"frame 100\"",
                           moment->text, sheet->options.request.scene);
    if (!(at >= (double)sheet->first && at <= (double)sheet->last))
        return status_fail(STATUS_USAGE, "--at %s is not in '%s', which has frames %llu to %llu",
                           moment->text, sheet->options.request.scene,
                           (unsigned long long)sheet->first, (unsigned long long)sheet->last);
    *frame = (uint64_t)at;
    return moment->shift == 0
               ? STATUS_OK
               : find_second(sheet, moment->text,
                             reader_time(sheet->reader, *frame) + moment->shift, frame);
}

static void spread_frames(struct sheet *sheet)
{
    const uint64_t span = sheet->last - sheet->first;
    const uint64_t gaps = sheet->count > 1 ? sheet->count - 1 : 1;
    for (uint32_t i = 0; i < sheet->count; i++) /* span * i / gaps, rounded, without overflow */
        sheet->frames[i] =
            sheet->first + span / gaps * i + (2 * (span % gaps) * i + gaps) / (2 * gaps);
}

/* Places the frames on the sheet; a film may have fewer frames than there are places. */
static enum status place_frames(struct sheet *sheet)
{
    const uint64_t frames = sheet->last - sheet->first + 1;
    const uint32_t places = sheet->columns * sheet->rows;
    enum status status = STATUS_OK;
    sheet->count = frames < places ? (uint32_t)frames : places;
    if (sheet->moment_count > 0)
        sheet->count = sheet->moment_count;
    sheet->frames = memory_new(sheet->count, sizeof *sheet->frames);
    sheet->drawn = memory_new(sheet->count, sizeof *sheet->drawn);
    if (sheet->moment_count == 0)
        spread_frames(sheet);
    for (uint32_t i = 0; i < sheet->moment_count && status == STATUS_OK; i++) {
        const struct moment *moment = &sheet->moments[i];
        status = sheet->reader
                     ? find_frame(sheet, moment, &sheet->frames[i])
                     : snapshot_find(&sheet->snapshot, moment, moment->text, &sheet->frames[i]);
    }
    return status;
}

/* In seconds of the film; negative: unknown. */
static double time_of(const struct sheet *sheet, uint64_t frame)
{
    return sheet->reader ? reader_time(sheet->reader, frame) : scene_seconds(sheet->scene, frame);
}

/* The shortest time between two pictures; 0: unknown. */
static double find_interval(const struct sheet *sheet)
{
    double least = 0;
    for (uint32_t i = 0; i < sheet->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const double apart =
                fabs(time_of(sheet, sheet->frames[i]) - time_of(sheet, sheet->frames[k]));
            if (apart > 0 && (least == 0 || apart < least))
                least = apart;
        }
    return least;
}

static enum status open_page(struct sheet *sheet, const struct reader_info *info)
{
    if (sheet->columns > sheet->count)
        sheet->columns = sheet->count;
    sheet->rows = (sheet->count + sheet->columns - 1) / sheet->columns;
    const struct sheet_params params = {.width = sheet->width,
                                        .columns = sheet->columns,
                                        .count = sheet->count,
                                        .film_width = info->width,
                                        .film_height = info->height,
                                        .interval = find_interval(sheet),
                                        .labels = !sheet->no_labels};
    enum status status = sheet_page_open(&sheet->page, &params);
    const size_t bytes = 3 * sizeof *sheet->rgb * (size_t)info->width * info->height;
    sheet->rgb = malloc(bytes);
    if (status == STATUS_OK && !sheet->rgb)
        status = status_fail(STATUS_RUNTIME,
                             "no memory left for a picture of %ux%u, which takes %zu bytes",
                             info->width, info->height, bytes);
    return status;
}

static enum status get_frame(struct sheet *sheet, uint64_t frame, double *seconds)
{
    *seconds = time_of(sheet, frame);
    if (sheet->reader) {
        return reader_read(sheet->reader, frame, sheet->rgb);
    }
    const struct picture *picture;
    enum status status = snapshot_take(&sheet->snapshot, frame, &picture);
    if (status == STATUS_OK)
        picture_take_rgb(picture, sheet->rgb);
    return status;
}

/* Draws the frames in the order of the film. */
static enum status fill_page(struct sheet *sheet)
{
    const uint32_t count = sheet->count;
    enum status status = STATUS_OK;
    bool faded = false;
    for (uint32_t i = 0; i < count && sheet->scene && !sheet->options.as_film; i++)
        faded |= snapshot_left(sheet->scene, sheet->frames[i]) < 1;
    if (faded)
        tell_unfaded();
    for (uint32_t done = 0; status == STATUS_OK && done < count; done++) {
        uint32_t next = count;
        for (uint32_t i = 0; i < count; i++)
            if (!sheet->drawn[i] && (next == count || sheet->frames[i] < sheet->frames[next]))
                next = i;
        const uint64_t frame = sheet->frames[next];
        double seconds;
        sheet->drawn[next] = true;
        status = get_frame(sheet, frame, &seconds);
        if (status == STATUS_OK)
            status = sheet_page_put(sheet->page, next, sheet->rgb, frame, seconds);
    }
    return status;
}

static enum status check_moments(const struct sheet *sheet)
{
    const char *other = sheet->rows_given          ? "--rows"
                        : sheet->options.has_range ? "--frames A..B"
                                                   : NULL;
    if (sheet->moment_count > 0 && other)
        return status_fail(STATUS_USAGE,
                           "--at and %s both choose the pictures; leave out one of them", other);
    return STATUS_OK;
}

static void tell_sheet(const struct sheet *sheet)
{
    const char *output = sheet->options.output;
    if (sheet->moment_count > 0)
        log_info("%s: %u moment%s, %u x %u", output, sheet->count, sheet->count == 1 ? "" : "s",
                 sheet->columns, sheet->rows);
    else
        log_info("%s: %u of frames %llu to %llu, %u x %u", output, sheet->count,
                 (unsigned long long)sheet->first, (unsigned long long)sheet->last, sheet->columns,
                 sheet->rows);
}

static enum status make(struct sheet *sheet)
{
    const struct render_options *options = &sheet->options;
    const char *output = options->output;
    const bool only_save = options->save_scene && !output;
    enum status status = STATUS_OK;
    if (ranks_begin_first()) {
        status = render_options_check_save(options);
        if (status == STATUS_OK && !only_save)
            status = snapshot_check_output(output, options->request.scene, options->overwrite,
                                           "sheet.png", false);
        if (status == STATUS_OK)
            status = check_moments(sheet);
        if (status == STATUS_OK)
            status = check_source(options);
    }
    status = ranks_end_first(status);
    if (status == STATUS_OK && only_save) {
        status = scene_request_open(&options->request, &sheet->scene);
        return status == STATUS_OK && ranks_lead() ? render_options_save(options, sheet->scene)
                                                   : status;
    }
    if (status == STATUS_OK)
        status = open_source(sheet);
    if (status != STATUS_OK || (!sheet->scene && !ranks_lead()))
        return status; /* rank 0 alone reads a film */
    struct reader_info info = describe(sheet);
    status = choose_frames(sheet, &info);
    if (status == STATUS_OK)
        status = place_frames(sheet);
    if (status == STATUS_OK)
        status = open_page(sheet, &info);
    if (status != STATUS_OK)
        return status;
    uint64_t bytes;
    status = fill_page(sheet);
    if (status == STATUS_OK && ranks_lead())
        status = sheet_page_write(sheet->page, output, &bytes);
    if (status == STATUS_OK)
        tell_sheet(sheet);
    return status;
}

static int run_sheet(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", OPTION_OUTPUT, "OUT.png", 0, "Where the sheet goes; - is the standard output",
         HELP_FILES},
        {"at", KEY_AT, "MOMENT", 0,
         "Show this moment instead of moments spread evenly: seconds, \"frame N\", start or end, "
         "of a scene also t=TIME, pericentre, apocentre or merger; may be repeated, or name "
         "several, separated by commas",
         HELP_FILES},
        {"columns", KEY_COLUMNS, "N", 0, "Pictures beside each other (default: 4)", HELP_FILES},
        {"rows", KEY_ROWS, "N", 0, "Rows of pictures (default: 4)", HELP_FILES},
        {"width", KEY_WIDTH, "PIXELS", 0, "Width of the sheet (default: 1600)", HELP_FILES},
        {"frames", OPTION_FRAMES, "A..B", 0,
         "Show frames A to B, both included; for a scene, a single N makes its film N frames long",
         HELP_FILES},
        {"no-labels", KEY_NO_LABELS, NULL, 0, "Leave out frame numbers and times", HELP_FILES},
        {0},
    };
    struct sheet sheet = {.columns = 4, .rows = 4, .width = 1600};
    const struct scene_command command = {
        .name = "sheet",
        .args_doc = "[FILM|FRAMES|SCENE]",
        .doc = "Shows pictures spread evenly over a film, or moments of your choice, in one PNG: "
               "of a film, of a sequence of pictures (frames/%06d.png, .jpg, .tif, .exr or .jxl), "
               "or of a scene, which is simulated for it. Default: the scene milky-way-andromeda.\v"
               "Examples:\n"
               "  gravreel sheet film.mp4 -o sheet.png\n"
               "  gravreel sheet plummer -n 2048 --columns 6 --rows 2 -o sheet.png\n"
               "  gravreel sheet -n 4096 --at 0,pericentre,merger,end -o story.png",
        .taker = TAKER_SHEET,
        .options = table,
        .take = take,
        .user = &sheet,
    };
    enum status status = scene_command_parse(&command, &sheet.options, argc, argv);
    if (status == STATUS_OK && !sheet.options.answered)
        status = make(&sheet);
    snapshot_close(&sheet.snapshot);
    reader_close(&sheet.reader);
    sheet_page_close(&sheet.page);
    scene_close(&sheet.scene);
    render_options_free(&sheet.options);
    for (uint32_t i = 0; i < sheet.moment_count; i++)
        free(sheet.moments[i].text);
    free(sheet.frames);
    free(sheet.drawn);
    free(sheet.rgb);
    return (int)status;
}

const struct command command_sheet = {
    .name = "sheet",
    .doc = "show a film's frames in one picture",
    .run = run_sheet,
    .on_ranks = true,
};

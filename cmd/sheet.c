#include "cmd/command.h"
#include "cmd/help/page.h"
#include "cmd/cli/number.h"
#include "cmd/cli/options.h"
#include "cmd/cli/scene_args.h"
#include "cmd/stills/contact_sheet.h"
#include "cmd/stills/snapshot.h"

#include "base/file.h"
#include "base/log.h"
#include "render/reader/reader.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_COLUMNS = OPTION_OWN, KEY_ROWS, KEY_WIDTH, KEY_NO_LABELS };
enum { CELLS_MAX = 100 };

struct sheet {
    struct render_options options;
    uint32_t columns, rows, width;
    bool no_labels;

    /* One of these is open. */
    struct reader *reader;
    struct scene *scene;
    struct snapshot snapshot;

    uint64_t first, last; /* frames that are shown, both included */
    uint32_t count;       /* of pictures */
    struct sheet_page *page;
    uint16_t *rgb; /* one frame */
};

static enum status parse_count(const char *option, const char *text, uint32_t most, uint32_t *out)
{
    uint64_t value = 0;
    enum status status = number_parse(option, text, 1, most, &value);
    *out = (uint32_t)value;
    return status;
}

static enum status take(void *user, int key, char *argument)
{
    struct sheet *sheet = user;
    switch (key) {
    case KEY_COLUMNS:
        return parse_count("--columns", argument, CELLS_MAX, &sheet->columns);
    case KEY_ROWS:
        return parse_count("--rows", argument, CELLS_MAX, &sheet->rows);
    case KEY_WIDTH:
        return parse_count("--width", argument, SHEET_SIDE_MAX, &sheet->width);
    default:
        sheet->no_labels = true;
        return STATUS_OK;
    }
}

static enum status check_source(const struct render_options *options)
{
    if (scene_is_named(options->scene))
        return STATUS_OK;
    const char *of_scene = options->setting_count ? options->settings[0].origin
                           : options->bodies_from ? "--bodies-from"
                           : options->save_scene  ? "--save-scene"
                                                  : NULL;
    if (of_scene)
        return status_fail(STATUS_USAGE, "%s is for a scene, but '%s' is a film or a picture%s",
                           of_scene, options->scene,
                           strcmp(of_scene, "--frames") == 0 ? "; give --frames as A..B" : "");
    return STATUS_OK;
}

static enum status open_source(struct sheet *sheet)
{
    const struct render_options *options = &sheet->options;
    if (!scene_is_named(options->scene))
        return reader_open(&sheet->reader, options->scene);
    enum status status = render_options_scene(options, &sheet->scene);
    if (status == STATUS_OK)
        status = render_options_find_bodies(options, sheet->scene);
    if (status == STATUS_OK)
        status = render_options_save(options, sheet->scene);
    if (status == STATUS_OK)
        status = snapshot_open(&sheet->snapshot, sheet->scene, options->backend, options->device,
                               PICTURE_RGBA16, NULL);
    return status;
}

/* Frames and size of what is shown. */
static struct reader_info describe(const struct sheet *sheet)
{
    if (sheet->reader)
        return *reader_info(sheet->reader);
    const struct output_params *output = &sheet->scene->output;
    return (struct reader_info){
        .width = output->size.width, .height = output->size.height, .frames = output->frames};
}

static enum status choose_frames(struct sheet *sheet, const struct reader_info *info)
{
    const struct render_options *options = &sheet->options;
    sheet->first = info->first;
    sheet->last = info->first + info->frames - 1;
    if (!options->has_range)
        return STATUS_OK;
    bool open_end = options->last == UINT64_MAX, open_start = options->first == 0;
    if (options->first > sheet->last || (!open_start && options->first < sheet->first) ||
        (!open_end && (options->last > sheet->last || options->last < sheet->first)))
        return status_fail(STATUS_USAGE, "--frames goes beyond '%s', which has frames %llu to %llu",
                           options->scene, (unsigned long long)sheet->first,
                           (unsigned long long)sheet->last);
    sheet->first = open_start ? sheet->first : options->first;
    sheet->last = open_end ? sheet->last : options->last;
    return STATUS_OK;
}

/* A film may have fewer frames than there are places. */
static enum status open_page(struct sheet *sheet, const struct reader_info *info)
{
    const uint64_t frames = sheet->last - sheet->first + 1;
    const uint32_t places = sheet->columns * sheet->rows;
    sheet->count = frames < places ? (uint32_t)frames : places;
    if (sheet->columns > sheet->count)
        sheet->columns = sheet->count;
    sheet->rows = (sheet->count + sheet->columns - 1) / sheet->columns;
    const struct sheet_params params = {.width = sheet->width,
                                        .columns = sheet->columns,
                                        .count = sheet->count,
                                        .film_width = info->width,
                                        .film_height = info->height,
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

static void copy_rgb(const struct picture *picture, uint16_t *to)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint16_t *from =
            (const uint16_t *)(const void *)(picture->data + (size_t)y * layout->plane[0].stride);
        for (uint32_t x = 0; x < layout->width; x++, to += 3, from += 4)
            memcpy(to, from, 3 * sizeof *to);
    }
}

static enum status get_frame(struct sheet *sheet, uint64_t frame, double *seconds)
{
    if (sheet->reader) {
        *seconds = reader_time(sheet->reader, frame);
        return reader_read(sheet->reader, frame, sheet->rgb);
    }
    *seconds = scene_seconds(sheet->scene, frame);
    const struct picture *picture;
    enum status status = snapshot_take(&sheet->snapshot, frame, &picture);
    if (status == STATUS_OK)
        copy_rgb(picture, sheet->rgb);
    return status;
}

static enum status fill_page(struct sheet *sheet)
{
    const uint32_t count = sheet->count;
    enum status status = STATUS_OK;
    uint64_t span = sheet->last - sheet->first, gaps = count > 1 ? count - 1 : 1;
    for (uint32_t i = 0; status == STATUS_OK && i < count; i++) {
        /* span * i / gaps, rounded, without overflow */
        uint64_t frame =
            sheet->first + span / gaps * i + (2 * (span % gaps) * i + gaps) / (2 * gaps);
        double seconds;
        status = get_frame(sheet, frame, &seconds);
        if (status == STATUS_OK)
            status = sheet_page_put(sheet->page, i, sheet->rgb, frame, seconds);
    }
    return status;
}

static enum status make(struct sheet *sheet)
{
    const struct render_options *options = &sheet->options;
    const char *output = options->output;
    const bool only_save = options->save_scene && !output;
    enum status status = render_options_check_save(options);
    if (status == STATUS_OK && !only_save)
        status =
            snapshot_check_output(output, options->scene, options->overwrite, "sheet.png", false);
    if (status == STATUS_OK)
        status = check_source(options);
    if (status == STATUS_OK && only_save) {
        status = render_options_scene(options, &sheet->scene);
        return status == STATUS_OK ? render_options_save(options, sheet->scene) : status;
    }
    if (status == STATUS_OK)
        status = open_source(sheet);
    if (status != STATUS_OK)
        return status;
    struct reader_info info = describe(sheet);
    status = choose_frames(sheet, &info);
    if (status == STATUS_OK)
        status = open_page(sheet, &info);
    if (status != STATUS_OK)
        return status;
    uint64_t bytes;
    status = fill_page(sheet);
    if (status == STATUS_OK)
        status = sheet_page_write(sheet->page, output, &bytes);
    if (status == STATUS_OK)
        log_info("%s: %u of frames %llu to %llu, %u x %u", output, sheet->count,
                 (unsigned long long)sheet->first, (unsigned long long)sheet->last, sheet->columns,
                 sheet->rows);
    return status;
}

static int run_sheet(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", OPTION_OUTPUT, "OUT.png", 0, "Where the sheet goes; - is the standard output",
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
        .doc = "Shows pictures spread evenly over a film in one PNG: of a film, of a PNG sequence "
               "(frames/%06d.png or frames/####.png), or of a scene, which is simulated for it. "
               "Default: the scene milky-way-andromeda.\v"
               "Examples:\n"
               "  gravreel sheet film.mp4 -o sheet.png\n"
               "  gravreel sheet plummer -n 2048 --columns 6 --rows 2 -o sheet.png",
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
    free(sheet.rgb);
    return (int)status;
}

const struct command command_sheet = {
    .name = "sheet",
    .doc = "show a film's frames in one picture",
    .run = run_sheet,
};

#include "base/file.h"
#include "base/log.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/advice.h"
#include "cmd/film/job/plan_file.h"
#include "cmd/film/stills/still.h"
#include "cmd/film/tags.h"
#include "render/picture/picture.h"
#include "render/picture/png_pdf.h"
#include "render/video/picture_file.h"
#include "scenes/value.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_AT = OPTION_OWN };

struct still {
    struct render_options options;
    const char *at;       /* NULL: none given */
    struct moment moment; /* the same */
    struct scene *scene;
    struct snapshot snapshot;
    const struct picture_file *file; /* NULL: a PDF page */
    struct sink_params params;       /* of the file; without tags */
    bool tiled;
    struct film_options how;
    struct snapshot_tiles tiles;
};

static enum status take(void *user, int key, char *argument)
{
    struct still *still = user;
    (void)key;
    still->at = argument;
    return STATUS_OK;
}

/* Writes a PNG of any size while its bands are drawn. */
static enum status write_bands(struct still *still, const struct tags *tags)
{
    const struct png_settings settings = {.level = (int)still->params.output.png_level,
                                          .tags = *tags};
    struct png_rows rows;
    uint64_t bytes = 0;
    enum status status =
        snapshot_tiles_open(&still->tiles, &still->snapshot, &still->how.tile, &rows);
    if (status == STATUS_OK)
        status = png_file_write_rows(still->options.output, &rows, &settings, 0, &bytes);
    snapshot_tiles_close(&still->tiles);
    return status;
}

static enum status gather(struct still *still, struct picture *whole)
{
    const struct picture_layout *layout = &whole->layout;
    struct png_rows rows;
    enum status status =
        snapshot_tiles_open(&still->tiles, &still->snapshot, &still->how.tile, &rows);
    uint32_t count = 0;
    for (uint32_t y = 0; y < layout->height && status == STATUS_OK; y += count) {
        const uint8_t *band;
        size_t stride;
        status = rows.fetch(rows.user, y, &band, &count, &stride);
        for (uint32_t row = 0; status == STATUS_OK && row < count && y + row < layout->height;
             row++)
            memcpy(whole->data + (y + row) * layout->plane[0].stride, band + row * stride,
                   layout->plane[0].bytes);
    }
    snapshot_tiles_close(&still->tiles);
    return status;
}

static enum status write_file(const struct still *still, const struct picture *picture,
                              const struct tags *tags)
{
    struct sink_params params = still->params;
    uint64_t bytes;
    params.tags = *tags;
    return still->file ? still->file->write(still->options.output, picture, &params, 0, &bytes)
                       : pdf_file_write(still->options.output, picture, tags, &bytes);
}

/* Draws the whole picture in memory, as its encoder requires. */
static enum status write_whole(struct still *still, const struct picture *picture,
                               const struct tags *tags)
{
    const struct output_params *output = &still->scene->output;
    struct picture whole = {0};
    if (!still->tiled)
        return write_file(still, picture, tags);
    picture_layout(&whole.layout, picture->layout.format, output->size.width, output->size.height);
    whole.data = malloc(whole.layout.size);
    if (!whole.data)
        return status_fail(STATUS_RUNTIME,
                           "not enough memory for a picture of %zu bytes; ask for a smaller --size",
                           whole.layout.size);
    enum status status = gather(still, &whole);
    if (status == STATUS_OK)
        status = write_file(still, &whole, tags);
    free(whole.data);
    return status;
}

static bool is_png(const struct still *still)
{
    return still->file == picture_file_named("still.png");
}

static enum status write_picture(struct still *still, const struct picture *picture)
{
    const struct film *film = &still->snapshot.film;
    const struct output_params *output = &still->scene->output;
    struct tags tags;
    enum status status = film_tags_make(&tags, film, NULL);
    film_tags_keep(&tags, still->options.metadata);
    if (status == STATUS_OK)
        status = still->tiled && is_png(still) ? write_bands(still, &tags)
                                               : write_whole(still, picture, &tags);
    tags_free(&tags);
    if (status == STATUS_OK)
        log_info("%s: frame %llu, %.3f s of the film, simulated time %g, %ux%u, %u %s",
                 still->options.output, (unsigned long long)picture->frame,
                 scene_seconds(film->scene, picture->frame), picture->time, output->size.width,
                 output->size.height,
                 !still->file         ? PDF_PIXELS_PER_INCH
                 : still->file->light ? output->exr_bits
                                      : output->png_bits,
                 !still->file         ? "pixels per inch"
                 : still->file->light ? "bits of scene-linear light"
                                      : "bits");
    return status;
}

/* Chooses the file format, and the picture format to draw for it. */
static enum status plan(struct still *still)
{
    const char *output = still->options.output;
    const struct output_params *how = &still->scene->output;
    struct sink_plan plan = {.format = PICTURE_RGBA8};
    still->params = (struct sink_params){.path = output, .output = *how, .alpha = how->alpha->kind};
    still->file = snapshot_is_page(output)
                      ? NULL
                      : picture_file_named(file_is_standard(output) ? "still.png" : output);
    enum status status =
        still->file ? still->file->plan(&still->params, &plan) : pdf_file_check(how->alpha->kind);
    still->how.format = plan.format;
    return status;
}

/* A still of an unfinished film is drawn by the film's plan. */
static enum status open_snapshot(struct still *still)
{
    const struct render_options *options = &still->options;
    const char *film = options->request.scene;
    char *folder = film ? text_format("%s.parts", film) : NULL, *plan = NULL;
    still->how.scene = still->scene;
    still->how.backend = options->backend;
    still->how.device = options->device;
    enum status status = plan_find(
        &(struct plan_places){.given = options->plan, .work_folder = folder}, still->scene, &plan);
    still->how.plan = plan;
    if (status == STATUS_OK)
        status = snapshot_open(&still->snapshot, &still->how);
    if (status == STATUS_OK)
        advice_tell_left_out(&still->snapshot.film);
    still->how.plan = NULL;
    free(plan);
    free(folder);
    return status;
}

/* Says that the film shows the frame with only the share `left` of its light. */
static void tell_unfaded(const struct scene *scene, uint64_t frame, double left)
{
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    const bool faded = look_fade(&scene->look, frame, scene->output.frames, fps) < 1;
    char seen[48] = "black in the film because of";
    if (left >= 0.005)
        snprintf(seen, sizeof seen, "dimmed to %.0f %% in the film by", 100 * left);
    else if (!faded)
        snprintf(seen, sizeof seen, "covered in the film by");
    log_info("frame %" PRIu64 " is %s %s; the still leaves the %s out (--as-film keeps it)", frame,
             seen, faded ? "a fade" : "the title card", faded ? "fade" : "card");
}

static enum status make(struct still *still)
{
    const struct render_options *options = &still->options;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = render_options_check_save(options);
    status = ranks_end_first(status);
    if (status == STATUS_OK && options->has_range)
        status = status_fail(STATUS_USAGE, "--frames A..B means several frames, and a still is "
                                           "one; --frames N makes the film N frames long, --at "
                                           "\"frame N\" chooses one");
    if (status == STATUS_OK && options->save_scene && !options->output && !still->at) {
        status = scene_request_open(&options->request, &still->scene);
        return status == STATUS_OK && ranks_lead() ? render_options_save(options, still->scene)
                                                   : status;
    }
    if (ranks_begin_first() && status == STATUS_OK)
        status = snapshot_check_output(options->output, options->request.scene, options->overwrite,
                                       "still.png", true);
    status = ranks_end_first(status);
    if (status == STATUS_OK && !still->at)
        status = status_fail(STATUS_USAGE, "no moment given; for "
                                           "example --at 12.5, --at \"frame 100\" or --at end");
    if (status == STATUS_OK)
        status = scene_request_open(&options->request, &still->scene);
    if (status == STATUS_OK && moment_parse(still->at, &still->moment) != STATUS_OK)
        status = status_prefix(STATUS_USAGE, "--at");
    if (status != STATUS_OK)
        return status;
    still->how.unfaded = !options->as_film;
    still->tiled = snapshot_needs_tiles(still->scene, &still->how.tile);
    status = plan(still);
    if (status == STATUS_OK)
        status = scene_request_find_bodies(&options->request, still->scene);
    if (status == STATUS_OK && ranks_lead())
        status = render_options_save(options, still->scene);
    if (status == STATUS_OK)
        status = open_snapshot(still);
    const struct picture *picture;
    uint64_t frame = 0;
    if (status == STATUS_OK)
        status = snapshot_find(&still->snapshot, &still->moment, still->at, &frame);
    if (status == STATUS_OK)
        status = snapshot_take(&still->snapshot, frame, &picture);
    const double left = status == STATUS_OK ? snapshot_left(still->scene, frame) : 1;
    if (left < 1 && !options->as_film)
        tell_unfaded(still->scene, frame, left);
    if (status == STATUS_OK && !ranks_lead())
        return still->tiled ? snapshot_tiles_lend(&still->snapshot, &still->how.tile) : status;
    return status == STATUS_OK ? write_picture(still, picture) : status;
}

static int run_still(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"at", KEY_AT, "MOMENT", 0,
         "Seconds of the film, \"frame N\", t=TIME, start, end, pericentre, apocentre or merger",
         HELP_FILES},
        {"output", OPTION_OUTPUT, "OUT.png|jpg|tif|jxl|exr|pdf", 0,
         "Where the picture goes, as PNG, JPEG, TIFF or JPEG XL, of scene-linear light as EXR, or "
         "as a page of "
         "PDF with 300 pixels per inch; - is the standard output, for PNG",
         HELP_FILES},
        {0},
    };
    struct still still = {0};
    const struct scene_command command = {
        .name = "still",
        .args_doc = "[SCENE]",
        .doc = "Draws one picture of a scene at one moment, as in its film but without fades: of a "
               "built-in scene, a YAML file, or a film or still made by gravreel. Default scene: "
               "milky-way-andromeda.\v"
               "Examples:\n"
               "  gravreel still plummer --at 5 -o still.png\n"
               "  gravreel still --at \"pericentre + 1\" --size 4k --png-bits 16 -o large.png",
        .taker = TAKER_STILL,
        .options = table,
        .take = take,
        .user = &still,
    };
    enum status status = scene_command_parse(&command, &still.options, argc, argv);
    if (status == STATUS_OK && !still.options.answered)
        status = make(&still);
    snapshot_close(&still.snapshot);
    scene_close(&still.scene);
    render_options_free(&still.options);
    return (int)status;
}

const struct command command_still = {
    .name = "still",
    .doc = "draw one picture of a scene",
    .run = run_still,
    .on_ranks = true,
};

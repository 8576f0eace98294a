#include "render/sink/sink.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/output.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- null ---- */

/* Counts the pictures and keeps nothing, for measuring. */

static enum status null_plan(const struct sink_params *params, struct sink_plan *plan)
{
    *plan = (struct sink_plan){.format = PICTURE_NV12, .description = "null, nothing is kept"};
    return sink_check_even(plan->format, params->width, params->height, params->output.pad);
}

static enum status null_open(const struct sink_params *params, struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = null_plan(params, &plan);
    if (status != STATUS_OK)
        return status;
    *out = memory_new(1, sizeof **out);
    sink_start(*out, &sink_null, params, &plan);
    return STATUS_OK;
}

static enum status null_write(struct sink *sink, const struct picture *picture)
{
    enum status status = sink_check_picture(sink, picture);
    if (status == STATUS_OK)
        sink->frames++;
    return status;
}

static enum status null_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    (void)keep;
    if (frames)
        *frames = (*sink)->frames;
    if (bytes)
        *bytes = 0;
    free(*sink);
    *sink = NULL;
    return STATUS_OK;
}

const struct sink_ops sink_null = {
    .name = "null",
    .doc = "counts the pictures and keeps nothing, for measuring",
    .discards = true,
    .plan = null_plan,
    .open = null_open,
    .write = null_write,
    .close = null_close,
};

/* ---- hash ---- */

/* A text file with a line per picture: its number in the film and the XXH3-128 of its RGBA pixels.
 * The last line, "all", has the XXH3-128 of all these hashes. */

struct hash_sink {
    struct sink base;
    uint64_t first_frame;
    struct output output;
    struct hash_part *rows;
    struct hash_stream *all; /* receives the 16-byte digest of each picture */
};

static enum status hash_sink_plan(const struct sink_params *params, struct sink_plan *plan)
{
    *plan = (struct sink_plan){.format = picture_format_rgba(8, params->alpha),
                               .description = "XXH3-128 of each picture"};
    return STATUS_OK;
}

static enum status hash_sink_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    struct hash_sink *hash = memory_new(1, sizeof *hash);
    enum status status = output_open(&hash->output, params->path);
    if (status != STATUS_OK) {
        free(hash);
        return status;
    }
    struct sink_plan plan;
    hash_sink_plan(params, &plan);
    sink_start(&hash->base, &sink_hash, params, &plan);
    hash->first_frame = params->first_frame;
    hash->all = hash_open();
    hash->rows = memory_new(params->height, sizeof *hash->rows);
    *out = &hash->base;
    return STATUS_OK;
}

static bool put_line(struct hash_sink *hash, const char *label, const char digest[HASH_TEXT])
{
    char line[80];
    int length = snprintf(line, sizeof line, "%s %s\n", label, digest);
    return output_write(&hash->output, line, (size_t)length);
}

static void add_digest(struct hash_stream *all, const char digest[HASH_TEXT])
{
    unsigned char bytes[HASH_TEXT / 2];
    for (size_t i = 0; i < sizeof bytes; i++)
        sscanf(digest + 2 * i, "%2hhx", &bytes[i]);
    hash_add(all, bytes, sizeof bytes);
}

static enum status hash_sink_write(struct sink *sink, const struct picture *picture)
{
    struct hash_sink *hash = (struct hash_sink *)sink;
    enum status status = sink_check_picture(sink, picture);
    if (status != STATUS_OK)
        return status;
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < sink->height; y++)
        hash->rows[y] = (struct hash_part){picture->data + (size_t)y * layout->plane[0].stride,
                                           layout->plane[0].bytes};
    char digest[HASH_TEXT], label[24];
    hash_parts(hash->rows, sink->height, digest);
    add_digest(hash->all, digest);
    snprintf(label, sizeof label, "%llu", (unsigned long long)(hash->first_frame + sink->frames));
    if (!put_line(hash, label, digest))
        return output_failed(&hash->output, sink->frames);
    sink->frames++;
    sink->bytes = hash->output.bytes;
    return STATUS_OK;
}

static enum status hash_sink_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct hash_sink *hash = (struct hash_sink *)*sink;
    enum status status = STATUS_OK;
    char digest[HASH_TEXT];
    hash_end(&hash->all, digest);
    if (keep)
        put_line(hash, "all", digest);
    if (!output_close(&hash->output, keep, true) && keep)
        status = output_failed(&hash->output, hash->base.frames);
    bool kept = keep && status == STATUS_OK;
    if (frames)
        *frames = kept ? hash->base.frames : 0;
    if (bytes)
        *bytes = kept ? hash->output.bytes : 0;
    output_release(&hash->output);
    free(hash->rows);
    free(hash);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_hash = {
    .name = "hash",
    .doc = "a text file with number and XXH3-128 of each RGBA picture, and a hash of all pictures",
    .plan = hash_sink_plan,
    .open = hash_sink_open,
    .write = hash_sink_write,
    .close = hash_sink_close,
};

/* ---- html and usda ---- */

/* Text files that contain what a film shows, instead of pictures. */

struct text_sink {
    struct sink base;
    struct output output;
};

/* plain, flat: beginnings of messages: why there is neither alpha nor HDR, what shows one flat
 * picture. */
static enum status text_plan(const struct sink_params *params, struct sink_plan *plan,
                             const char *plain, const char *flat)
{
    plan->format = picture_format_rgba(8, ALPHA_NONE);
    if (params->alpha != ALPHA_NONE || params->hdr != HDR_NONE)
        return status_fail(STATUS_USAGE, "%s; leave out output.%s", plain,
                           params->alpha != ALPHA_NONE ? "alpha" : "hdr");
    if (params->projection && !params->projection->flat)
        return status_fail(STATUS_USAGE,
                           "%s one flat picture, and camera.projection is %s; set it to %s", flat,
                           params->projection->name, projection_flat.name);
    return STATUS_OK;
}

static enum status html_plan(const struct sink_params *params, struct sink_plan *plan)
{
    *plan = (struct sink_plan){.description = "a page that draws the bodies with WebGL 2"};
    return text_plan(params, plan, "a page draws opaque pictures in ordinary white",
                     "a page draws");
}

static enum status usda_plan(const struct sink_params *params, struct sink_plan *plan)
{
    *plan = (struct sink_plan){.description = "points and camera in USD's text format"};
    return text_plan(params, plan, "a USD file has points and no pictures", "a USD camera sees");
}

static enum status text_open(const struct sink_params *params, const struct sink_ops *ops,
                             struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = ops->plan(params, &plan);
    if (status != STATUS_OK)
        return status;
    struct text_sink *text = memory_new(1, sizeof *text);
    status = output_open(&text->output, params->path);
    if (status != STATUS_OK) {
        free(text);
        return status;
    }
    sink_start(&text->base, ops, params, &plan);
    *out = &text->base;
    return STATUS_OK;
}

static enum status html_open(const struct sink_params *params, struct sink **out)
{
    return text_open(params, &sink_html, out);
}

static enum status usda_open(const struct sink_params *params, struct sink **out)
{
    return text_open(params, &sink_usda, out);
}

enum status sink_write_text(struct sink *sink, const void *text, size_t size, uint64_t frames)
{
    struct text_sink *file = (struct text_sink *)sink;
    if (!output_write(&file->output, text, size))
        return output_failed(&file->output, sink->frames);
    sink->frames = frames;
    sink->bytes = file->output.bytes;
    return STATUS_OK;
}

static enum status text_write(struct sink *sink, const struct picture *picture)
{
    (void)picture;
    return status_fail(STATUS_RUNTIME, "the format %s cannot store pictures", sink->ops->name);
}

static enum status text_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct text_sink *text = (struct text_sink *)*sink;
    enum status status = STATUS_OK;
    if (!output_close(&text->output, keep, true) && keep)
        status = output_failed(&text->output, text->base.frames);
    const bool kept = keep && status == STATUS_OK;
    if (frames)
        *frames = kept ? text->base.frames : 0;
    if (bytes)
        *bytes = kept ? text->output.bytes : 0;
    output_release(&text->output);
    free(text);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_html = {
    .name = "html",
    .doc = "a page to turn the bodies in, without network",
    .views = true,
    .plan = html_plan,
    .open = html_open,
    .write = text_write,
    .close = text_close,
};

const struct sink_ops sink_usda = {
    .name = "usda",
    .doc = "the bodies as animated points, and the camera, for Blender and Houdini",
    .views = true,
    .plan = usda_plan,
    .open = usda_open,
    .write = text_write,
    .close = text_close,
};

/* ---- sink ---- */

void sink_start(struct sink *sink, const struct sink_ops *ops, const struct sink_params *params,
                const struct sink_plan *plan)
{
    *sink = (struct sink){
        .ops = ops, .format = plan->format, .width = params->width, .height = params->height};
    snprintf(sink->description, sizeof sink->description, "%s", plan->description);
}

void sink_add_tag(struct sink *sink, const char *name, const char *value)
{
    const struct tag tag = {name, value};
    if (sink->ops->tag)
        sink->ops->tag(sink, &tag);
}

enum status sink_check_even(enum picture_format format, uint32_t width, uint32_t height, bool pad)
{
    const uint32_t columns = picture_format_halves_width(format) ? width % 2 : 0,
                   rows = picture_format_halves_height(format) ? height % 2 : 0;
    if (pad || columns + rows == 0)
        return STATUS_OK;
    const bool both = picture_format_halves_height(format);
    return status_fail(STATUS_USAGE,
                       "cannot store a picture of %ux%u: this film stores colour at half the %s, "
                       "which needs an even width%s; use %ux%u, or --pad for a black edge",
                       width, height, both ? "size" : "width", both ? " and height" : "",
                       width + columns, height + rows);
}

enum status sink_check_picture(const struct sink *sink, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    if (layout->format == sink->format && layout->width == sink->width &&
        layout->height == sink->height)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME,
                       "the output expects %s pictures of %ux%u, but got %s of %ux%u",
                       picture_format_name(sink->format), sink->width, sink->height,
                       picture_format_name(layout->format), layout->width, layout->height);
}

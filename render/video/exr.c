#include "base/memory.h"
#include "base/tag.h"
#include "base/text.h"
#include "render/video/libav.h"
#include "render/video/picture_file.h"

#include <OpenEXR/openexr.h>
#include <libavutil/frame.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* PART: with a longer string FFmpeg 5.1 misreads the rest of the header. */
enum { SIDE_MAX = 32768, PART = 255, CHANNELS = 3 };

/* The channels in the order of an EXR header, their places in RGBA, and in planes of G, B, R. */
static const struct {
    const char *name;
    int in_rgba, plane;
} channels[CHANNELS] = {{"B", 2, 1}, {"G", 1, 0}, {"R", 0, 2}};

/* One context per file, whose user data this is. */
struct exr {
    exr_context_t context;
    char why[STATUS_TEXT_MAX]; /* the library's first complaint */
    uint8_t *data;             /* the file in memory, while it is written */
    size_t size;
};

static void on_error(exr_const_context_t context, exr_result_t code, const char *message)
{
    void *user = NULL;
    (void)code;
    if (context && exr_get_user_data(context, &user) == EXR_ERR_SUCCESS && user) {
        struct exr *exr = user;
        if (!exr->why[0])
            snprintf(exr->why, sizeof exr->why, "%s", message);
    }
}

static int64_t on_write(exr_const_context_t context, void *user, const void *data, uint64_t size,
                        uint64_t offset, exr_stream_error_func_ptr_t error)
{
    struct exr *exr = user;
    (void)context;
    (void)error;
    if (offset + size > exr->size) {
        exr->data = memory_grow(exr->data, offset + size, 1);
        exr->size = offset + size;
    }
    memcpy(exr->data + offset, data, size);
    return (int64_t)size;
}

static exr_context_initializer_t settings_for(struct exr *exr)
{
    exr_context_initializer_t settings = EXR_DEFAULT_CONTEXT_INITIALIZER;
    settings.error_handler_fn = on_error;
    settings.user_data = exr;
    settings.max_image_width = settings.max_image_height = SIDE_MAX;
    return settings;
}

static enum status failed(const struct exr *exr, enum status status, const char *what,
                          const char *path)
{
    return status_fail(status, "cannot %s the EXR picture '%s': %s", what, path,
                       exr->why[0] ? exr->why : "the file is damaged");
}

/* ---- tags ---- */

/* The name of a part of a text; sorting names keeps the parts in order. */
static char *part_name(const char *name, unsigned part)
{
    return part > 0 ? text_format("%s.%03u", name, part) : memory_text(name);
}

/* The largest number of whole UTF-8 characters that fit into a part. */
static size_t part_size(const char *text)
{
    const size_t length = strlen(text);
    size_t size = length < PART ? length : PART;
    while (size < length && size > 0 && (text[size] & 0xc0) == 0x80)
        size--;
    return size > 0 || length == 0 ? size : PART;
}

static bool put_tag(exr_context_t context, const struct tag *tag)
{
    const char *rest = tag->value;
    bool good = true;
    for (unsigned part = 0; good && (part == 0 || *rest); part++) {
        const size_t size = part_size(rest);
        char *name = part_name(tag->name, part), *text = text_format("%.*s", (int)size, rest);
        good = exr_attr_set_string(context, 0, name, text) == EXR_ERR_SUCCESS;
        rest += size;
        free(name);
        free(text);
    }
    return good;
}

/* Adds a tag, or continues the last one, of which *parts have been read. */
static void add_text(struct tags *tags, const char *attribute, const char *text, unsigned *parts)
{
    struct tag *last = tags->count > 0 ? &tags->list[tags->count - 1] : NULL;
    char *next = last ? part_name(last->name, *parts) : NULL;
    const bool continues = next && strcmp(attribute, next) == 0;
    free(next);
    if (continues) {
        char *whole = text_format("%s%s", last->value, text);
        free((char *)last->value);
        last->value = whole;
        ++*parts;
        return;
    }
    tags_add(tags, attribute, text);
    *parts = 1;
}

static enum status exr_tags(const char *path, struct tags *out)
{
    struct exr exr = {0};
    const exr_context_initializer_t settings = settings_for(&exr);
    const exr_attribute_t *attribute;
    int count = 0;
    unsigned parts = 0;
    *out = (struct tags){0};
    const bool good = !exr_start_read(&exr.context, path, &settings) &&
                      !exr_get_attribute_count(exr.context, 0, &count);
    for (int i = 0; i < count; i++)
        if (!exr_get_attribute_by_index(exr.context, 0, EXR_ATTR_LIST_FILE_ORDER, i, &attribute) &&
            attribute->type == EXR_ATTR_STRING && strcmp(attribute->name, "type") != 0)
            add_text(out, attribute->name, attribute->string->str, &parts);
    exr_finish(&exr.context);
    tags_unpack(out);
    return good ? STATUS_OK : failed(&exr, STATUS_USAGE, "read", path);
}

/* ---- writing ---- */

static enum status exr_plan(const struct sink_params *params, struct sink_plan *plan)
{
    if (params->output.exr_bits != 16 && params->output.exr_bits != 32)
        return status_fail(STATUS_USAGE, "EXR does not support %u bits per sample; use 16 or 32",
                           params->output.exr_bits);
    if (params->alpha != ALPHA_NONE)
        return status_fail(STATUS_USAGE, "EXR pictures are written without alpha, because they "
                                         "store additive light; leave out output.alpha");
    plan->format = PICTURE_RGBAF32;
    int major, minor, patch;
    const char *extra;
    exr_get_library_version(&major, &minor, &patch, &extra);
    snprintf(plan->libraries, sizeof plan->libraries, "OpenEXR %d.%d.%d", major, minor, patch);
    snprintf(plan->description, sizeof plan->description, "EXR %s floats of scene-linear light",
             params->output.exr_bits == 16 ? "half" : "32-bit");
    return STATUS_OK;
}

static bool write_header(exr_context_t context, const struct picture *picture,
                         const struct sink_params *params)
{
    const exr_attr_chromaticities_t bt709 = {0.64f, 0.33f, 0.30f,   0.60f,
                                             0.15f, 0.06f, 0.3127f, 0.3290f};
    const exr_pixel_type_t type = params->output.exr_bits == 16 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
    const int width = (int)picture->layout.width, height = (int)picture->layout.height;
    int part;
    bool good =
        !exr_set_longname_support(context, true) &&
        !exr_add_part(context, NULL, EXR_STORAGE_SCANLINE, &part) &&
        !exr_initialize_required_attr_simple(context, 0, width, height, EXR_COMPRESSION_ZIP) &&
        !exr_attr_set_chromaticities(context, 0, "chromaticities", &bt709);
    for (int c = 0; c < CHANNELS && good; c++)
        good = !exr_add_channel(context, 0, channels[c].name, type, EXR_PERCEPTUALLY_LOGARITHMIC, 1,
                                1);
    for (size_t i = 0; i < params->tags.count && good; i++)
        good = put_tag(context, &params->tags.list[i]);
    return good && !exr_write_header(context);
}

static bool write_chunks(exr_context_t context, const struct picture *picture)
{
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_chunk_info_t chunk;
    bool good = true;
    for (int y = 0; good && y < (int)picture->layout.height; y += chunk.height) {
        good = !exr_write_scanline_chunk_info(context, 0, y, &chunk) &&
               !(y == 0 ? exr_encoding_initialize(context, 0, &chunk, &pipeline)
                        : exr_encoding_update(context, 0, &chunk, &pipeline));
        const size_t stride = picture->layout.plane[0].stride;
        for (int c = 0; c < CHANNELS && good; c++) {
            exr_coding_channel_info_t *channel = &pipeline.channels[c];
            channel->user_bytes_per_element = sizeof(float);
            channel->user_data_type = EXR_PIXEL_FLOAT;
            channel->user_pixel_stride = 4 * sizeof(float);
            channel->user_line_stride = (int32_t)stride;
            channel->encode_from_ptr =
                picture->data + (size_t)y * stride + (size_t)channels[c].in_rgba * sizeof(float);
        }
        good = good && (y > 0 || !exr_encoding_choose_default_routines(context, 0, &pipeline)) &&
               !exr_encoding_run(context, 0, &pipeline);
    }
    exr_encoding_destroy(context, &pipeline);
    return good;
}

static enum status exr_write(const char *path, const struct picture *picture,
                             const struct sink_params *params, uint64_t frames, uint64_t *bytes)
{
    struct exr exr = {0};
    exr_context_initializer_t settings = settings_for(&exr);
    settings.write_fn = on_write;
    bool good = !exr_start_write(&exr.context, path, EXR_WRITE_FILE_DIRECTLY, &settings) &&
                write_header(exr.context, picture, params) && write_chunks(exr.context, picture);
    good = !exr_finish(&exr.context) && good;
    enum status status = good ? picture_file_save(path, exr.data, exr.size, frames, bytes)
                              : failed(&exr, STATUS_RUNTIME, "make", path);
    free(exr.data);
    return status;
}

/* ---- reading ---- */

/* Red, green and blue of every pixel, compressed without loss. */
static bool read_header(struct exr *exr, exr_attr_box2i_t *window, uint32_t *bits)
{
    const exr_attr_chlist_t *list;
    exr_attr_box2i_t shown;
    exr_storage_t storage;
    exr_compression_t compression;
    int parts;
    if (exr_get_count(exr->context, &parts) || exr_get_storage(exr->context, 0, &storage) ||
        exr_get_compression(exr->context, 0, &compression) ||
        exr_get_data_window(exr->context, 0, window) ||
        exr_get_display_window(exr->context, 0, &shown) || exr_get_channels(exr->context, 0, &list))
        return false;
    bool known = parts == 1 && storage == EXR_STORAGE_SCANLINE &&
                 compression <= EXR_COMPRESSION_ZIP && list->num_channels == CHANNELS &&
                 memcmp(window, &shown, sizeof shown) == 0;
    *bits = 16;
    for (int c = 0; c < CHANNELS && known; c++) {
        const exr_attr_chlist_entry_t *entry = &list->entries[c];
        known = strcmp(entry->name.str, channels[c].name) == 0 && entry->x_sampling == 1 &&
                entry->y_sampling == 1 && entry->pixel_type != EXR_PIXEL_UINT;
        *bits = entry->pixel_type == EXR_PIXEL_FLOAT ? 32 : *bits;
    }
    if (!known)
        snprintf(exr->why, sizeof exr->why,
                 "only one part of rows is read, with the channels R, G and B as half or 32-bit "
                 "floats, compressed by ZIP, ZIPS, RLE or not at all");
    return known;
}

static bool read_chunks(struct exr *exr, const exr_attr_box2i_t *window, uint64_t size,
                        AVFrame *frame)
{
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_chunk_info_t chunk;
    uint64_t end = 0;
    bool good = true;
    for (int y = 0; good && y < frame->height; y += chunk.height) {
        good = !exr_read_scanline_chunk_info(exr->context, 0, window->min.y + y, &chunk) &&
               !(y == 0 ? exr_decoding_initialize(exr->context, 0, &chunk, &pipeline)
                        : exr_decoding_update(exr->context, 0, &chunk, &pipeline));
        for (int c = 0; c < CHANNELS && good; c++) {
            exr_coding_channel_info_t *channel = &pipeline.channels[c];
            const int plane = channels[c].plane;
            channel->user_bytes_per_element = channel->user_pixel_stride = sizeof(float);
            channel->user_data_type = EXR_PIXEL_FLOAT;
            channel->user_line_stride = frame->linesize[plane];
            channel->decode_to_ptr = frame->data[plane] + (ptrdiff_t)y * frame->linesize[plane];
        }
        good = good &&
               (y > 0 || !exr_decoding_choose_default_routines(exr->context, 0, &pipeline)) &&
               !exr_decoding_run(exr->context, 0, &pipeline);
        end = chunk.data_offset + chunk.packed_size > end ? chunk.data_offset + chunk.packed_size
                                                          : end;
    }
    exr_decoding_destroy(exr->context, &pipeline);
    if (good && end != size)
        snprintf(exr->why, sizeof exr->why, "more follows its pixels");
    return good && end == size;
}

static enum status exr_read(const char *path, AVFrame **frame, uint32_t *bits)
{
    struct exr exr = {0};
    exr_context_initializer_t settings = settings_for(&exr);
    settings.flags = EXR_CONTEXT_FLAG_DISABLE_CHUNK_RECONSTRUCTION;
    exr_attr_box2i_t window;
    struct stat file;
    bool good = !exr_start_read(&exr.context, path, &settings) && read_header(&exr, &window, bits);
    enum status status = STATUS_OK;
    *frame = NULL;
    if (good)
        status = picture_file_frame(path, AV_PIX_FMT_GBRPF32, window.max.x - window.min.x + 1,
                                    window.max.y - window.min.y + 1, frame);
    if (good && status == STATUS_OK)
        good = stat(path, &file) == 0 && read_chunks(&exr, &window, (uint64_t)file.st_size, *frame);
    exr_finish(&exr.context);
    if (!good)
        status = failed(&exr, STATUS_IO, "read", path);
    if (status != STATUS_OK)
        av_frame_free(frame);
    return status;
}

const struct picture_file picture_exr = {
    .name = "exr",
    .doc = "scene-linear light before the tone curve, half or 32-bit floats",
    .kind = "EXR",
    .magic = "\x76\x2f\x31\x01",
    .magic_size = 4,
    .light = true,
    .plan = exr_plan,
    .write = exr_write,
    .read = exr_read,
    .tags = exr_tags,
};

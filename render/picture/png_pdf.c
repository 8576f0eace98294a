#include "render/picture/png_pdf.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/output.h"

#include <cairo-pdf.h>
#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- png name ---- */

enum { WIDTH_MAX = 20 };

/* Position and digits of the frame number in a path. */
struct pattern {
    const char *start, *end;
    int width;
    uint64_t offset; /* the number of frame 0 */
};

/* Whether %d or %0Nd begins at `at`, or the same with an offset, %+1001:0Nd; *end points after it.
 */
static bool read_conversion(const char *at, const char **end, int *width, uint64_t *offset)
{
    const char *digit = at + 1;
    *width = 1;
    *offset = 0;
    if (*digit == '+') {
        char *rest;
        *offset = strtoull(digit + 1, &rest, 10);
        if (rest == digit + 1 || *rest != ':')
            return false;
        digit = rest + 1;
    }
    if (*digit == '0') {
        char *rest;
        long value = strtol(digit, &rest, 10);
        if (rest == digit + 1 || value < 1 || value > WIDTH_MAX)
            return false;
        *width = (int)value;
        digit = rest;
    }
    *end = digit + 1;
    return *digit == 'd';
}

static enum status find_hashes(const char *path, const char *base, struct pattern *pattern)
{
    const char *start = strchr(base, '#');
    if (!start)
        return status_fail(STATUS_USAGE,
                           "'%s' has no place for the frame number; write it as in "
                           "frames/%%06d.png or frames/####.png",
                           path);
    size_t length = strspn(start, "#");
    if (strchr(start + length, '#'))
        return status_fail(STATUS_USAGE, "'%s' has more than one place for the frame number", path);
    if (length > WIDTH_MAX)
        return status_fail(STATUS_USAGE, "'%s' asks for more than %d digits", path, WIDTH_MAX);
    *pattern = (struct pattern){start, start + length, (int)length, 0};
    return STATUS_OK;
}

static enum status find_pattern(const char *path, struct pattern *pattern)
{
    const char *base = file_base(path);
    *pattern = (struct pattern){0};
    for (const char *at = strchr(path, '%'); at; at = strchr(at, '%')) {
        const char *end;
        int width;
        uint64_t offset;
        if (at[1] == '%') {
            at += 2;
            continue;
        }
        if (!read_conversion(at, &end, &width, &offset))
            return status_fail(STATUS_USAGE,
                               "'%s' has a %% that is neither %%d nor %%0Nd (N up to %d); a "
                               "plain %% is written %%%%",
                               path, WIDTH_MAX);
        if (at < base)
            return status_fail(STATUS_USAGE,
                               "'%s' has the frame number in the folder's name; put it into "
                               "the file's name",
                               path);
        if (pattern->start)
            return status_fail(STATUS_USAGE, "'%s' has more than one place for the frame number",
                               path);
        *pattern = (struct pattern){at, end, width, offset};
        at = end;
    }
    return pattern->start ? STATUS_OK : find_hashes(path, base, pattern);
}

/* Appends [from, to), replacing %% by %; false when it does not fit. */
static bool append(char *name, size_t size, size_t *used, const char *from, const char *to)
{
    for (; from < to; from++) {
        if (*used + 1 >= size)
            return false;
        name[(*used)++] = *from;
        from += *from == '%';
    }
    return true;
}

enum status png_name(const char *path, uint64_t frame, char *name, size_t size)
{
    struct pattern pattern;
    enum status status = find_pattern(path, &pattern);
    if (status != STATUS_OK)
        return status;
    char number[32];
    int digits = snprintf(number, sizeof number, "%0*llu", pattern.width,
                          (unsigned long long)(frame + pattern.offset));
    size_t used = 0;
    if (size == 0 || !append(name, size, &used, path, pattern.start) ||
        !append(name, size, &used, number, number + digits) ||
        !append(name, size, &used, pattern.end, path + strlen(path)))
        return status_fail(STATUS_USAGE, "'%s' is too long for a file's name", path);
    name[used] = '\0';
    return STATUS_OK;
}

char *png_name_from(const char *path, uint64_t first)
{
    struct pattern pattern;
    if (first == 0 || find_pattern(path, &pattern) != STATUS_OK)
        return memory_text(path);
    return text_format("%.*s%%+%llu:0%dd%s", (int)(pattern.start - path), path,
                       (unsigned long long)first, pattern.width, pattern.end);
}

bool png_name_number(const char *path, const char *file, uint64_t *frame)
{
    enum { NAME_MAX_BYTES = 4096 };
    struct pattern pattern;
    char name[NAME_MAX_BYTES];
    size_t used = 0;
    if (find_pattern(path, &pattern) != STATUS_OK ||
        !append(name, sizeof name, &used, file_base(path), pattern.start) ||
        strncmp(file, name, used) != 0)
        return false;
    const char *number = file + used;
    const size_t digits = strspn(number, "0123456789");
    if (digits == 0 || digits >= WIDTH_MAX)
        return false;
    *frame = strtoull(number, NULL, 10) - pattern.offset;
    return png_name(path, *frame, name, sizeof name) == STATUS_OK &&
           strcmp(file_base(name), file) == 0;
}

void png_name_stem(const char *path, char *stem, size_t size)
{
    static const char separators[] = "-_. ";
    struct pattern pattern;
    size_t used = 0;
    stem[0] = '\0';
    if (find_pattern(path, &pattern) != STATUS_OK)
        return;
    const char *end = path + strlen(path), *dot = strrchr(pattern.end, '.');
    (void)append(stem, size, &used, file_base(path), pattern.start);
    while (used > 0 && strchr(separators, stem[used - 1]))
        used--;
    const char *behind = pattern.end + strspn(pattern.end, separators);
    end = dot ? dot : end;
    if (behind < end && used > 0)
        (void)append(stem, size, &used, "-", &"-"[1]);
    if (behind < end)
        (void)append(stem, size, &used, behind, end);
    stem[used] = '\0';
}

/* ---- png file ---- */

enum { SEARCHING_LEVEL = 6 };

/* Everything that must survive libpng's longjmp; automatic variables would not. */
struct png_file {
    struct output output;
    const struct png_rows *rows;
    uint32_t y;
    enum status fetched;
    png_structp png;
    png_infop info;
    png_text *texts;
    char message[STATUS_TEXT_MAX];
};

static void on_error(png_structp png, png_const_charp message)
{
    struct png_file *file = png_get_error_ptr(png);
    strncpy(file->message, message, sizeof file->message - 1);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep data, size_t size)
{
    struct png_file *file = png_get_io_ptr(png);
    if (!output_write(&file->output, data, size))
        png_error(png, "write error");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool write_chunks(struct png_file *file, const struct png_settings *settings)
{
    const struct png_rows *rows = file->rows;
    const int depth = (int)picture_format_bits(rows->format);
    const bool transparent = picture_format_alpha(rows->format) != ALPHA_NONE;
    if (setjmp(png_jmpbuf(file->png)))
        return false;
    png_set_write_fn(file->png, file, on_write, on_flush);
    png_set_compression_level(file->png, settings->level);
    /* Dithered pictures contain no matches worth searching: differences, runs and Huffman codes
     * alone give smaller files than level 3, in a third of the time. */
    if (settings->level >= 1 && settings->level < SEARCHING_LEVEL) {
        png_set_filter(file->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
        png_set_compression_strategy(file->png, Z_RLE);
    }
    png_set_IHDR(file->png, file->info, rows->width, rows->height, depth,
                 transparent ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(file->png, file->info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (settings->tags.count)
        png_set_text(file->png, file->info, file->texts, (int)settings->tags.count);
    png_write_info(file->png, file->info);
    if (!transparent)
        png_set_filler(file->png, 0, PNG_FILLER_AFTER);
    if (depth == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(file->png);
    while (file->y < rows->height) {
        const uint8_t *first;
        uint32_t count;
        size_t stride;
        file->fetched = rows->fetch(rows->user, file->y, &first, &count, &stride);
        if (file->fetched != STATUS_OK)
            return false;
        for (uint32_t i = 0; i < count && file->y < rows->height; i++, file->y++)
            png_write_row(file->png, first + i * stride);
    }
    png_write_end(file->png, NULL);
    return true;
}

static void prepare(struct png_file *file, const struct png_settings *settings)
{
    file->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, file, on_error, on_warning);
    file->info = file->png ? png_create_info_struct(file->png) : NULL;
    file->texts = memory_new(settings->tags.count, sizeof *file->texts);
    if (!file->info)
        memory_exhausted();
    for (size_t i = 0; i < settings->tags.count; i++)
        file->texts[i] = (png_text){
            .compression = PNG_ITXT_COMPRESSION_zTXt,
            .key = (char *)settings->tags.list[i].name,
            .text = (char *)settings->tags.list[i].value,
        };
}

void png_file_libraries(char *out, size_t size)
{
    snprintf(out, size, "libpng %s", png_get_libpng_ver(NULL));
}

enum status png_file_write_rows(const char *name, const struct png_rows *rows,
                                const struct png_settings *settings, uint64_t frames,
                                uint64_t *bytes)
{
    *bytes = 0;
    struct png_file *file = memory_new(1, sizeof *file);
    struct failure failure = {0};
    failure_keep(&failure, output_open(&file->output, name));
    if (failure.status == STATUS_OK) {
        file->rows = rows;
        prepare(file, settings);
        const bool good = write_chunks(file, settings);
        failure_keep(&failure, file->fetched);
        const bool there = output_close(&file->output, good, false);
        if (file->output.error)
            failure_keep(&failure, output_failed(&file->output, frames));
        else if (!there || !good)
            failure_keep(&failure,
                         status_fail(STATUS_RUNTIME, "cannot write '%s': %s", name, file->message));
        *bytes = failure.status == STATUS_OK ? file->output.bytes : 0;
        output_release(&file->output);
    }
    png_destroy_write_struct(&file->png, &file->info);
    free(file->texts);
    free(file);
    return failure_report(&failure);
}

static enum status fetch_all(void *user, uint32_t y, const uint8_t **rows, uint32_t *count,
                             size_t *stride)
{
    const struct picture *picture = user;
    *stride = picture->layout.plane[0].stride;
    *rows = picture->data + y * *stride;
    *count = picture->layout.height - y;
    return STATUS_OK;
}

enum status png_file_write(const char *name, const struct picture *picture,
                           const struct png_settings *settings, uint64_t frames, uint64_t *bytes)
{
    const struct png_rows rows = {picture->layout.format, picture->layout.width,
                                  picture->layout.height, fetch_all, (void *)picture};
    return png_file_write_rows(name, &rows, settings, frames, bytes);
}

/* ---- reading ---- */

/* Limits of text chunks; the longest is a scene. */
enum { TEXT_BYTES_MAX = 4 << 20, CHUNKS_MAX = 256 };

struct png_head {
    FILE *file;
    png_structp png;
    png_infop info;
    char message[STATUS_TEXT_MAX];
};

static void on_read_error(png_structp png, png_const_charp message)
{
    struct png_head *head = png_get_error_ptr(png);
    strncpy(head->message, message, sizeof head->message - 1);
    png_longjmp(png, 1);
}

static bool read_head(struct png_head *head)
{
    if (setjmp(png_jmpbuf(head->png)))
        return false;
    png_init_io(head->png, head->file);
    png_set_chunk_malloc_max(head->png, TEXT_BYTES_MAX);
    png_set_chunk_cache_max(head->png, CHUNKS_MAX);
    png_read_info(head->png, head->info);
    return true;
}

enum status png_file_read_tags(const char *name, struct tags *out)
{
    struct png_head head = {.file = fopen(name, "rb")};
    png_textp texts = NULL;
    int count = 0;
    *out = (struct tags){0};
    if (!head.file)
        return status_fail(STATUS_IO, "cannot read '%s': %s", name, strerror(errno));
    head.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &head, on_read_error, on_warning);
    head.info = head.png ? png_create_info_struct(head.png) : NULL;
    if (!head.info)
        memory_exhausted();
    const bool good = read_head(&head);
    if (good)
        png_get_text(head.png, head.info, &texts, &count);
    for (int i = 0; i < count; i++)
        if (texts[i].key && texts[i].text)
            tags_add(out, texts[i].key, texts[i].text);
    tags_unpack(out);
    png_destroy_read_struct(&head.png, &head.info, NULL);
    fclose(head.file);
    return good ? STATUS_OK
                : status_fail(STATUS_USAGE, "'%s' is not a complete PNG: %s", name, head.message);
}

/* ---- pdf_file ---- */

enum status pdf_file_check(enum picture_alpha alpha)
{
    if (alpha == ALPHA_NONE)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a PDF page is opaque; leave out output.alpha, or write a PNG");
}

static cairo_status_t put(void *closure, const unsigned char *data, unsigned size)
{
    return output_write(closure, data, size) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* A copy in cairo's pixel format: red, green and blue from the highest byte of a word down. */
static cairo_surface_t *image_of(const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)layout->width, (int)layout->height);
    unsigned char *data = cairo_image_surface_get_data(image);
    const size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (uint32_t y = 0; data && y < layout->height; y++) {
        const uint8_t *from =
            picture->data + layout->plane[0].offset + (size_t)y * layout->plane[0].stride;
        uint32_t *to = (uint32_t *)(void *)(data + y * stride);
        for (uint32_t x = 0; x < layout->width; x++, from += 4)
            to[x] = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static void describe(cairo_surface_t *page, const struct tags *tags)
{
    static const struct {
        const char *tag;
        cairo_pdf_metadata_t as;
    } kept[] = {{"title", CAIRO_PDF_METADATA_TITLE},
                {"creation_time", CAIRO_PDF_METADATA_CREATE_DATE},
                {PACKED_TAG, CAIRO_PDF_METADATA_KEYWORDS}};
    cairo_pdf_surface_set_metadata(page, CAIRO_PDF_METADATA_CREATE_DATE, ""); /* no date */
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const char *value = tags_find(tags, kept[i].tag);
        if (value)
            cairo_pdf_surface_set_metadata(page, kept[i].as, value);
    }
    /* "made with gravreel 1.0.0", without the part about files that gravreel reads. */
    char maker[64];
    const char *comment = tags_find(tags, "comment");
    snprintf(maker, sizeof maker, "%.*s", comment ? (int)strcspn(comment, ";") : 0,
             comment ? comment : "");
    if (*maker)
        cairo_pdf_surface_set_metadata(page, CAIRO_PDF_METADATA_CREATOR, maker);
}

static cairo_status_t draw(struct output *output, const struct picture *picture,
                           const struct tags *tags)
{
    const double points = 72.0 / PDF_PIXELS_PER_INCH;
    cairo_surface_t *image = image_of(picture);
    cairo_surface_t *page = cairo_pdf_surface_create_for_stream(
        put, output, points * picture->layout.width, points * picture->layout.height);
    describe(page, tags);
    cairo_t *cairo = cairo_create(page);
    cairo_scale(cairo, points, points);
    cairo_set_source_surface(cairo, image, 0, 0);
    cairo_paint(cairo);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(page);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(page);
    cairo_surface_destroy(page);
    cairo_surface_destroy(image);
    return status;
}

enum status pdf_file_write(const char *name, const struct picture *picture, const struct tags *tags,
                           uint64_t *bytes)
{
    struct output output;
    enum status status = output_open(&output, name);
    if (status == STATUS_OK) {
        const cairo_status_t drawn = draw(&output, picture, tags);
        const bool good = drawn == CAIRO_STATUS_SUCCESS;
        if (!output_close(&output, good, false) && (good || output.error))
            status = output_failed(&output, 0);
        else if (!good)
            status = status_fail(STATUS_RUNTIME, "cannot write '%s': %s", name,
                                 cairo_status_to_string(drawn));
        *bytes = output.bytes;
        output_release(&output);
    }
    return status;
}

/* How alike two pictures, or two sequences of pictures, are:
 *     compare_pictures [--min-ssim X] A.png B.png
 *     compare_pictures [--min-ssim X] A/%06d.png B/%06d.png FIRST..LAST
 * Prints a line a frame: the mean of the structural similarity of luma (Wang, Bovik, Sheikh and
 * Simoncelli 2004: K1 = 0.01, K2 = 0.03) over 8x8 windows every 4 pixels, the lowest window, and
 * the largest difference of a sample, all on a scale of 0 to 255. Exit codes: 0 alike, 3 below
 * --min-ssim (default 0) or of different size, 2 wrong usage, 5 a file that cannot be read. */
#include "base/status.h"
#include "render/picture/png_name.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 8, STEP = 4, SIZE_MAX_PIXELS = 32768 };

struct raster {
    size_t width, height;
    float *rgb; /* 3 samples a pixel, 0..255 */
};

struct likeness {
    double mean, lowest, difference;
};

struct options {
    const char *paths[2];
    double min_ssim;
    bool sequence;
    uint64_t first, last;
};

/* Where libpng's errors go. */
struct png_trouble {
    jmp_buf back;
    char text[128];
};

static void on_error(png_structp png, png_const_charp text)
{
    struct png_trouble *trouble = png_get_error_ptr(png);
    snprintf(trouble->text, sizeof trouble->text, "%s", text);
    longjmp(trouble->back, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void take_rows(struct raster *raster, png_bytepp rows)
{
    for (size_t y = 0; y < raster->height; y++)
        for (size_t x = 0; x < 3 * raster->width; x++)
            raster->rgb[y * 3 * raster->width + x] =
                (float)(rows[y][2 * x] << 8 | rows[y][2 * x + 1]) / 257;
}

/* Whatever the file's type, as 16 bits of red, green and blue. */
static enum status decode(FILE *file, const char *path, struct raster *raster)
{
    struct png_trouble trouble = {.text = "not enough memory"};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &trouble, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(trouble.back)) {
        png_destroy_read_struct(&png, &info, NULL);
        return status_fail(STATUS_IO, "'%s' is no PNG that can be read: %s", path, trouble.text);
    }
    png_set_user_limits(png, SIZE_MAX_PIXELS, SIZE_MAX_PIXELS);
    png_init_io(png, file);
    png_read_png(png, info,
                 PNG_TRANSFORM_EXPAND_16 | PNG_TRANSFORM_STRIP_ALPHA | PNG_TRANSFORM_GRAY_TO_RGB,
                 NULL);
    raster->width = png_get_image_width(png, info);
    raster->height = png_get_image_height(png, info);
    raster->rgb = malloc(3 * raster->width * raster->height * sizeof *raster->rgb);
    if (!raster->rgb)
        png_error(png, "not enough memory");
    take_rows(raster, png_get_rows(png, info));
    png_destroy_read_struct(&png, &info, NULL);
    return STATUS_OK;
}

static enum status raster_read(const char *path, struct raster *raster)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return status_fail(STATUS_IO, "cannot open '%s': %s", path, strerror(errno));
    enum status status = decode(file, path, raster);
    fclose(file);
    return status;
}

static float *luma_of(const struct raster *raster)
{
    size_t count = raster->width * raster->height;
    float *luma = malloc(count * sizeof *luma);
    for (size_t i = 0; luma && i < count; i++)
        luma[i] = 0.2126F * raster->rgb[3 * i] + 0.7152F * raster->rgb[3 * i + 1] +
                  0.0722F * raster->rgb[3 * i + 2];
    return luma;
}

static double window_ssim(const float *a, const float *b, size_t stride, size_t width,
                          size_t height)
{
    const double c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
    double n = (double)(width * height), sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            double p = (double)a[y * stride + x], q = (double)b[y * stride + x];
            sa += p;
            sb += q;
            saa += p * p;
            sbb += q * q;
            sab += p * q;
        }
    double ma = sa / n, mb = sb / n;
    double va = saa / n - ma * ma, vb = sbb / n - mb * mb, cov = sab / n - ma * mb;
    return (2 * ma * mb + c1) * (2 * cov + c2) / ((ma * ma + mb * mb + c1) * (va + vb + c2));
}

/* Windows start every STEP pixels; the last one of a row or column ends at the picture's edge. */
static size_t next_start(size_t at, size_t last)
{
    return at == last ? SIZE_MAX : at + STEP < last ? at + STEP : last;
}

static enum status compare(const struct raster *a, const struct raster *b, struct likeness *like)
{
    float *la = luma_of(a), *lb = luma_of(b);
    if (!la || !lb) {
        free(la);
        free(lb);
        return status_fail(STATUS_RUNTIME, "no memory left for the luma of two pictures");
    }
    size_t width = a->width < WINDOW ? a->width : WINDOW;
    size_t height = a->height < WINDOW ? a->height : WINDOW;
    size_t windows = 0;
    double sum = 0;
    *like = (struct likeness){.lowest = 1};
    for (size_t y = 0; y != SIZE_MAX; y = next_start(y, a->height - height))
        for (size_t x = 0; x != SIZE_MAX; x = next_start(x, a->width - width)) {
            size_t at = y * a->width + x;
            double ssim = window_ssim(la + at, lb + at, a->width, width, height);
            like->lowest = fmin(like->lowest, ssim);
            sum += ssim;
            windows++;
        }
    like->mean = sum / (double)windows;
    for (size_t i = 0; i < 3 * a->width * a->height; i++)
        like->difference = fmax(like->difference, fabs((double)a->rgb[i] - (double)b->rgb[i]));
    free(la);
    free(lb);
    return STATUS_OK;
}

static enum status judge(const char *const paths[2], const struct options *options, double *worst)
{
    struct raster a = {0}, b = {0};
    struct likeness like = {0};
    enum status status = raster_read(paths[0], &a);
    if (status == STATUS_OK)
        status = raster_read(paths[1], &b);
    if (status == STATUS_OK && (a.width != b.width || a.height != b.height))
        status = status_fail(STATUS_MISMATCH, "'%s' has %zux%zu pixels, but '%s' has %zux%zu",
                             paths[0], a.width, a.height, paths[1], b.width, b.height);
    if (status == STATUS_OK)
        status = compare(&a, &b, &like);
    free(a.rgb);
    free(b.rgb);
    if (status != STATUS_OK)
        return status;
    printf("%s  ssim %.6f  lowest window %.4f  largest difference %.2f\n", paths[1], like.mean,
           like.lowest, like.difference);
    *worst = fmin(*worst, like.mean);
    if (like.mean >= options->min_ssim)
        return STATUS_OK;
    return status_fail(STATUS_MISMATCH, "'%s' and '%s' have SSIM %.6f, and at least %g is wanted",
                       paths[0], paths[1], like.mean, options->min_ssim);
}

/* Every frame is compared and printed; the first one that differs gives the sentence. */
static enum status judge_all(const struct options *options)
{
    double worst = 1;
    if (!options->sequence)
        return judge(options->paths, options, &worst);
    enum status outcome = STATUS_OK;
    char sentence[STATUS_TEXT_MAX] = "";
    for (uint64_t frame = options->first;; frame++) {
        char names[2][4096];
        enum status status = STATUS_OK;
        for (int side = 0; side < 2 && status == STATUS_OK; side++)
            status = png_name(options->paths[side], frame, names[side], sizeof names[side]);
        if (status == STATUS_OK)
            status = judge((const char *const[2]){names[0], names[1]}, options, &worst);
        if (status != STATUS_OK && outcome == STATUS_OK) {
            outcome = status;
            snprintf(sentence, sizeof sentence, "%s", status_text());
        }
        if (frame == options->last || (status != STATUS_OK && status != STATUS_MISMATCH))
            break;
    }
    printf("lowest ssim %.6f\n", worst);
    return outcome == STATUS_OK ? outcome : status_fail(outcome, "%s", sentence);
}

static bool read_range(const char *text, struct options *options)
{
    unsigned long long first, last;
    int used = 0;
    if (sscanf(text, "%9llu..%9llu%n", &first, &last, &used) != 2 || text[used] || first > last)
        return false;
    options->sequence = true;
    options->first = first;
    options->last = last;
    return true;
}

static enum status parse(int argc, char **argv, struct options *options)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        char *end = "";
        if (strcmp(argv[i], "--min-ssim") == 0) {
            const char *value = i + 1 < argc ? argv[++i] : "";
            options->min_ssim = strtod(value, &end);
            if (end == value || *end || !(options->min_ssim >= -1 && options->min_ssim <= 1))
                return status_fail(STATUS_USAGE,
                                   "--min-ssim wants a number from -1 to 1, found '%s'", value);
        } else if (count < 2) {
            options->paths[count++] = argv[i];
        } else if (options->sequence || !read_range(argv[i], options)) {
            return status_fail(STATUS_USAGE, "a range FIRST..LAST is wanted, found '%s'", argv[i]);
        }
    }
    if (count < 2)
        return status_fail(STATUS_USAGE,
                           "two pictures are wanted, %d given; compare_pictures "
                           "[--min-ssim X] A.png B.png, or A/%%06d.png B/%%06d.png "
                           "FIRST..LAST",
                           count);
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    enum status status = parse(argc, argv, &options);
    if (status == STATUS_OK)
        status = judge_all(&options);
    if (fflush(stdout) != 0 && status == STATUS_OK)
        status = status_fail(STATUS_IO, "cannot write to the standard output");
    if (status != STATUS_OK)
        fprintf(stderr, "compare_pictures: %s\n", status_text());
    return (int)status;
}

/* compare_pictures, as a program: what it prints and how it ends. */
#include "tests/support/test.h"

#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

enum { WIDTH = 100, HEIGHT = 61 };

static char folder[] = "/tmp/gravreel-compare-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* A gradient with blobs, moved to the right by `shift`, with `offset` added to every sample. */
static uint8_t sample(int x, int y, int shift, int offset)
{
    double wave = sin((x - shift) * 0.7) * cos(y * 0.45);
    return (uint8_t)(100 + 60 * wave + 0.3 * y + offset);
}

static void write_picture(const char *name, int width, int shift, int offset, bool gray)
{
    static uint8_t pixels[HEIGHT * WIDTH * 3];
    int samples = gray ? 1 : 3;
    for (int i = 0; i < HEIGHT * width * samples; i++)
        pixels[i] = sample(i / samples % width, i / samples / width, shift, offset);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = HEIGHT,
                       .format = gray ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB};
    assert_true(png_image_write_to_file(&image, in_folder(name), 0, pixels, 0, NULL));
}

struct answer {
    int code;
    double ssim, lowest, difference;
    char text[4096];
};

static struct answer compare(const char *arguments)
{
    struct answer answer = {.ssim = NAN, .lowest = NAN, .difference = NAN};
    char command[2048];
    snprintf(command, sizeof command, "cd %s && %s %s 2>&1", folder, COMPARE_PICTURES, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(answer.text, 1, sizeof answer.text - 1, pipe);
    answer.text[length] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    answer.code = WEXITSTATUS(status);
    const char *at = strstr(answer.text, "ssim ");
    if (at)
        sscanf(at, "ssim %lf lowest window %lf largest difference %lf", &answer.ssim,
               &answer.lowest, &answer.difference);
    return answer;
}

/* The same from its definition, window by window, for the RGB pictures of write_picture. */
static double expected_ssim(int shift, int offset)
{
    double sum = 0;
    int windows = 0;
    for (int top = 0; top <= HEIGHT - 8;
         top += top + 4 > HEIGHT - 8 && top < HEIGHT - 8 ? HEIGHT - 8 - top : 4)
        for (int left = 0; left <= WIDTH - 8; left += 4) {
            double ma = 0, mb = 0, va = 0, vb = 0, cov = 0;
            for (int i = 0; i < 64; i++) {
                ma += sample(left + i % 8, top + i / 8, 0, 0) / 64.0;
                mb += sample(left + i % 8, top + i / 8, shift, offset) / 64.0;
            }
            for (int i = 0; i < 64; i++) {
                double a = sample(left + i % 8, top + i / 8, 0, 0) - ma;
                double b = sample(left + i % 8, top + i / 8, shift, offset) - mb;
                va += a * a / 64;
                vb += b * b / 64;
                cov += a * b / 64;
            }
            double c1 = 6.5025, c2 = 58.5225;
            sum += (2 * ma * mb + c1) / (ma * ma + mb * mb + c1) * (2 * cov + c2) / (va + vb + c2);
            windows++;
        }
    return sum / windows;
}

static void test_alike(void **state)
{
    (void)state;
    struct answer answer = compare("--min-ssim 1 000000.png 000000.png");
    assert_int_equal(answer.code, 0);
    assert_true(answer.ssim == 1 && answer.lowest == 1 && answer.difference == 0);
    /* A gray file of the same samples is the same picture. */
    answer = compare("000000.png gray.png");
    assert_true(answer.ssim > 0.999999 && answer.difference == 0);
}

static void test_different(void **state)
{
    (void)state;
    struct answer answer = compare("000000.png 000001.png");
    assert_int_equal(answer.code, 0);
    assert_true(answer.ssim < 0.7 && answer.lowest < answer.ssim && answer.difference > 20);
    assert_true(fabs(answer.ssim - expected_ssim(2, 0)) < 2e-6);
    answer = compare("000000.png brighter.png");
    assert_true(answer.difference == 9);
    assert_true(answer.ssim > 0.99 && answer.ssim < 1);
    assert_true(fabs(answer.ssim - expected_ssim(0, 9)) < 2e-6);
    assert_int_equal(compare("--min-ssim 0.9 000000.png 000001.png").code, 3);
}

static void test_sequence(void **state)
{
    (void)state;
    struct answer answer = compare("--min-ssim 0.9 %06d.png '######.png' 0..1");
    assert_int_equal(answer.code, 0);
    assert_non_null(strstr(answer.text, "lowest ssim 1.000000"));
    assert_int_equal(compare("--min-ssim 0.9 %06d.png b/%06d.png 0..1").code, 3);
    answer = compare("%06d.png %06d.png 0..2");
    assert_int_equal(answer.code, 5);
    assert_non_null(strstr(answer.text, "000002.png"));
}

static void test_bad(void **state)
{
    (void)state;
    assert_int_equal(compare("000000.png").code, 2);
    assert_int_equal(compare("--min-ssim much 000000.png 000000.png").code, 2);
    assert_int_equal(compare("000000.png 000000.png 3..1").code, 2);
    assert_int_equal(compare("000000.png missing.png").code, 5);
    assert_int_equal(compare("000000.png text.png").code, 5);
    assert_int_equal(compare("000000.png short.png").code, 5);
    struct answer answer = compare("000000.png narrow.png");
    assert_int_equal(answer.code, 3);
    assert_non_null(strstr(answer.text, "100x61"));
    assert_non_null(strstr(answer.text, "7x61"));
    answer = compare("narrow.png narrow.png");
    assert_int_equal(answer.code, 0);
    assert_true(answer.ssim == 1);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    char command[512];
    write_picture("000000.png", WIDTH, 0, 0, false);
    write_picture("000001.png", WIDTH, 2, 0, false);
    write_picture("brighter.png", WIDTH, 0, 9, false);
    write_picture("gray.png", WIDTH, 0, 0, true);
    write_picture("narrow.png", 7, 0, 0, false);
    snprintf(command, sizeof command,
             "cd %s && mkdir b && cp 000000.png b/000000.png && cp 000000.png b/000001.png && "
             "echo text >text.png && head -c 300 000000.png >short.png",
             folder);
    return system(command);
}

static int tear_down(void **state)
{
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_different),
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_bad),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

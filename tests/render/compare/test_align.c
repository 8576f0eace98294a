/* Films with lost, added, repeated or swapped frames, and films that only look so. */
#include "tests/support/test.h"

#include "render/compare/align.h"
#include "tests/support/films/star_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 24, WIDTH = 80, HEIGHT = 48, NONE = -1, BLACK = -2, OTHER = 1000 };

static struct planes planes;
static uint16_t rgb[3 * WIDTH * HEIGHT];
static double speed; /* turns per frame */
static int noise;

static void draw(int number, uint32_t seed, struct sketch *sketch)
{
    struct star_field field = star_field_usual;
    field.width = WIDTH;
    field.height = HEIGHT;
    field.stars = 60;
    field.turn = speed * number;
    field.shift_x = number >= OTHER ? 20.3 : 0;
    star_field_draw(&field, rgb);
    if (number == BLACK)
        memset(rgb, 0, sizeof rgb);
    if (noise > 0)
        star_field_noise(&field, rgb, noise, seed);
    planes_fill(&planes, rgb);
    sketch_planes(sketch, &planes);
}

struct result {
    struct align_step *steps;
    size_t count;
    double certainty;
    int of[6]; /* steps of each kind */
};

/* The film of frames 0 .. frames_a - 1 against the film of the frames numbered in b. */
static struct result align(int frames_a, const int *b, int frames_b)
{
    struct aligner *aligner = align_open((uint64_t)frames_a, (uint64_t)frames_b);
    struct result result = {0};
    for (int i = 0; i < frames_a || i < frames_b; i++) {
        struct sketch sketch;
        if (i < frames_a) {
            draw(i, (uint32_t)(2 * i + 1), &sketch);
            align_add(aligner, 0, &sketch);
        }
        if (i < frames_b) {
            draw(b[i], (uint32_t)(2 * i + 2), &sketch);
            align_add(aligner, 1, &sketch);
        }
    }
    result.steps = align_end(aligner, &result.count);
    result.certainty = align_certainty(aligner);
    for (size_t i = 0; i < result.count; i++)
        result.of[result.steps[i].kind]++;
    align_close(&aligner);
    /* every frame once */
    int seen[2][64] = {0};
    for (size_t i = 0; i < result.count; i++) {
        const struct align_step *step = &result.steps[i];
        const bool only_b = step->kind == ALIGN_ADDED || step->kind == ALIGN_AGAIN;
        if (!only_b)
            seen[0][step->a]++;
        if (step->kind != ALIGN_DROPPED)
            seen[1][step->b]++;
    }
    for (int i = 0; i < frames_a; i++)
        assert_int_equal(seen[0][i], 1);
    for (int i = 0; i < frames_b; i++)
        assert_int_equal(seen[1][i], 1);
    return result;
}

static void numbers(int *out, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = i;
}

static const struct align_step *find(const struct result *result, enum align_kind kind)
{
    for (size_t i = 0; i < result->count; i++)
        if (result->steps[i].kind == kind)
            return &result->steps[i];
    fail_msg("no step of the kind %d", (int)kind);
    return NULL;
}

/* From fast to almost still, without noise and with independent noise in both films. */
static const struct {
    double speed;
    int noise;
    bool tellable; /* frames differ by more than the noise */
} films[] = {{0.01, 0, true},  {0.01, 2, true},  {0.001, 0, true}, {0.006, 1, true},
             {1e-5, 0, false}, {1e-5, 2, false}, {0, 0, false},    {0, 2, false}};
enum { FILMS = sizeof films / sizeof films[0] };

static bool set_film(int i)
{
    speed = films[i].speed;
    noise = films[i].noise;
    return films[i].tellable;
}

TEST(the_same_film_is_plain)
{
    int b[FRAMES];
    numbers(b, FRAMES);
    for (int i = 0; i < FILMS; i++) {
        set_film(i);
        struct result result = align(FRAMES, b, FRAMES);
        if (!align_is_plain(result.steps, result.count))
            fail_msg("film %d is not plain", i);
        if (noise > 0 ? (result.certainty > 2) != films[i].tellable : !isinf(result.certainty))
            fail_msg("order in film %d has a certainty of %g", i, result.certainty);
        free(result.steps);
    }
}

TEST(a_dropped_frame_is_named)
{
    for (int i = 0; i < FILMS; i++)
        for (int lost = 0; set_film(i) && lost < FRAMES; lost += 1 + 3 * (lost > 1 && lost < 20)) {
            int b[FRAMES];
            for (int k = 0; k < FRAMES - 1; k++)
                b[k] = k + (k >= lost);
            struct result result = align(FRAMES, b, FRAMES - 1);
            assert_int_equal(result.of[ALIGN_DROPPED], 1);
            assert_int_equal(result.of[ALIGN_PAIR], FRAMES - 1);
            if (find(&result, ALIGN_DROPPED)->a != (uint64_t)lost)
                fail_msg("film %d: frame %d was lost, not %d", i, lost,
                         (int)find(&result, ALIGN_DROPPED)->a);
            free(result.steps);
        }
}

TEST(a_lost_frame_that_cannot_be_told_is_still_missing)
{
    int b[FRAMES];
    numbers(b, FRAMES);
    for (int i = 0; i < FILMS; i++) {
        set_film(i);
        struct result result = align(FRAMES, b, FRAMES - 1);
        assert_int_equal(result.of[ALIGN_DROPPED], 1);
        free(result.steps);
        result = align(FRAMES - 3, b, FRAMES);
        assert_int_equal(result.of[ALIGN_ADDED] + result.of[ALIGN_AGAIN], 3);
        free(result.steps);
    }
    set_film(0);
    struct result result = align(FRAMES, b, 3); /* beyond the window */
    assert_int_equal(result.of[ALIGN_DROPPED], FRAMES - 3);
    free(result.steps);
    result = align(2, b, FRAMES);
    assert_int_equal(result.of[ALIGN_PAIR], 2);
    free(result.steps);
}

TEST(an_added_frame_is_named)
{
    for (int i = 0; set_film(i); i++) {
        int b[FRAMES + 1];
        for (int k = 0; k < FRAMES + 1; k++)
            b[k] = k - (k > 9);
        struct result result = align(FRAMES, b, FRAMES + 1); /* 9 twice */
        assert_int_equal(result.of[ALIGN_PAIR], FRAMES);
        assert_int_equal(result.of[ALIGN_AGAIN] + result.of[ALIGN_ADDED], 1);
        if (noise == 0)
            assert_true(find(&result, ALIGN_AGAIN)->b == 9 || find(&result, ALIGN_AGAIN)->b == 10);
        free(result.steps);
        for (int k = 0; k < FRAMES; k++)
            b[k] = k + (k > 3 && k < 12);
        result = align(FRAMES, b, FRAMES); /* 4 is missing, 12 comes twice */
        assert_int_equal(result.of[ALIGN_AGAIN] + result.of[ALIGN_ADDED], 1);
        assert_int_equal(find(&result, ALIGN_DROPPED)->a, 4);
        if (noise == 0)
            assert_true(find(&result, ALIGN_AGAIN)->b == 11 || find(&result, ALIGN_AGAIN)->b == 12);
        free(result.steps);
        for (int k = 0; k < FRAMES + 1; k++)
            b[k] = k - (k > 9);
        b[10] = BLACK;
        result = align(FRAMES, b, FRAMES + 1);
        assert_int_equal(result.of[ALIGN_PAIR], FRAMES);
        assert_int_equal(find(&result, ALIGN_ADDED)->b, 10);
        free(result.steps);
    }
}

TEST(swapped_frames_are_named)
{
    for (int i = 0; set_film(i); i++)
        for (int at = 0; at < FRAMES - 1; at += 11) {
            int b[FRAMES];
            numbers(b, FRAMES);
            b[at] = at + 1;
            b[at + 1] = at;
            struct result result = align(FRAMES, b, FRAMES);
            assert_int_equal(result.of[ALIGN_SWAPPED], 2);
            assert_int_equal(result.of[ALIGN_PAIR], FRAMES - 2);
            assert_int_equal(find(&result, ALIGN_SWAPPED)->a, at);
            assert_int_equal(find(&result, ALIGN_SWAPPED)->b, at + 1);
            free(result.steps);
        }
}

TEST(repeated_and_late_frames_are_named)
{
    for (int i = 0; i < 3; i += 2) {
        set_film(i);
        int b[FRAMES];
        numbers(b, FRAMES);
        b[12] = 11;
        struct result result = align(FRAMES, b, FRAMES);
        assert_int_equal(result.of[ALIGN_REPEATED], 1);
        assert_int_equal(find(&result, ALIGN_REPEATED)->b, 12);
        assert_false(find(&result, ALIGN_REPEATED)->of_a);
        free(result.steps);
    }
    for (int i = 0; set_film(i); i++) {
        int b[FRAMES];
        for (int k = 0; k < FRAMES; k++) /* one frame late */
            b[k] = k > 0 ? k - 1 : 0;
        struct result result = align(FRAMES, b, FRAMES);
        assert_int_equal(result.of[ALIGN_PAIR], FRAMES - 1);
        assert_int_equal(find(&result, ALIGN_DROPPED)->a, FRAMES - 1);
        assert_int_equal(result.of[ALIGN_AGAIN] + result.of[ALIGN_ADDED], 1);
        free(result.steps);
    }
}

/* Changed pictures are still pairs. */
TEST(changed_pictures_stay_pairs)
{
    for (int i = 0; i < FILMS; i++) {
        int b[FRAMES];
        set_film(i);
        numbers(b, FRAMES);
        b[7] = b[8] = BLACK;
        struct result result = align(FRAMES, b, FRAMES);
        assert_int_equal(result.of[ALIGN_PAIR] + result.of[ALIGN_REPEATED], FRAMES);
        free(result.steps);
        for (int k = 0; k < FRAMES; k++)
            b[k] = OTHER + k; /* another film */
        result = align(FRAMES, b, FRAMES);
        assert_true(result.of[ALIGN_PAIR] >= FRAMES - 4);
        free(result.steps);
    }
}

static int set_up(void **state)
{
    (void)state;
    return planes_open(&planes, WIDTH, HEIGHT) == STATUS_OK ? 0 : -1;
}

/* Pixels of one colour each: the sketch is that of their luma, with BT.709's weights in 256ths. */
TEST(sketches_are_of_luma)
{
    static const uint32_t weights[3] = {54, 183, 19};
    static uint8_t luma[WIDTH * HEIGHT];
    for (int c = 0; c < 4; c++) { /* at last all of them */
        struct sketch of_colour, of_luma;
        for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
            uint32_t sum = 0;
            for (size_t k = 0; k < 3; k++) {
                const bool lit = c == 3 || (size_t)c == k;
                rgb[3 * i + k] = (uint16_t)(lit ? (i * (2 * k + 77) * 131) & 65535 : 0);
                sum += weights[k] * rgb[3 * i + k];
            }
            luma[i] = (uint8_t)(sum >> 16);
        }
        planes_fill(&planes, rgb);
        sketch_planes(&of_colour, &planes);
        sketch_bytes(&of_luma, luma, WIDTH, WIDTH, HEIGHT);
        assert_true(sketch_distance(&of_colour, &of_luma) == 0);
        memset(&of_luma, 0, sizeof of_luma);
        assert_true(sketch_distance(&of_colour, &of_luma) > 0);
    }
}

static int tear_down(void **state)
{
    (void)state;
    planes_close(&planes);
    return 0;
}

TESTS(set_up, tear_down)

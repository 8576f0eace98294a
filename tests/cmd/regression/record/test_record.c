/* Records as values: frames and their order, sections, boxes of a file, and distances of bodies by
 * their sketches. */
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 5000 };

static double noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / (double)(1ull << 53) - 0.5;
}

static void sketch_of(const double (*position)[3], size_t count, double sketch[RECORD_SKETCH])
{
    memset(sketch, 0, RECORD_SKETCH * sizeof *sketch);
    record_sketch_add(position, 0, count, sketch);
}

static void scatter(double (*position)[3], uint64_t seed)
{
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            position[i][c] = 40 * noise(&seed);
}

TEST(test_distance_by_sketches)
{
    static double a[COUNT][3], b[COUNT][3];
    (void)state;
    double worst = 0, mean = 0;
    enum { TRIES = 20 };
    for (int t = 0; t < TRIES; t++) {
        struct record record = {.bodies = COUNT};
        struct bodies_record in_a, in_b = {.sketch = {NAN}};
        uint64_t seed = (uint64_t)t + 100;
        double squares = 0;
        const double size = pow(10, -t / 2.0);
        scatter(a, (uint64_t)t);
        for (int i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++) {
                const double step = size * noise(&seed);
                b[i][c] = a[i][c] + step;
                squares += step * step;
            }
        sketch_of(a, COUNT, in_a.sketch);
        assert_true(isnan(record_distance(&record, &in_a, &in_b)));
        sketch_of(b, COUNT, in_b.sketch);
        const double ratio = record_distance(&record, &in_a, &in_b) / sqrt(squares / COUNT);
        assert_true(record_distance(&record, &in_a, &in_b) ==
                    record_distance(&record, &in_b, &in_a));
        worst = fmax(worst, fmax(ratio, 1 / ratio));
        mean += ratio / TRIES;
    }
    if (!(worst < 1.7) || !(fabs(mean - 1) < 0.15))
        fail_msg("estimates are off by a factor of %g at worst, %g in the mean", worst, mean);
}

TEST(test_one_body_moved_is_seen)
{
    static double a[COUNT][3];
    (void)state;
    struct record record = {.bodies = COUNT};
    struct bodies_record before, after;
    scatter(a, 1);
    sketch_of(a, COUNT, before.sketch);
    sketch_of(a, COUNT, after.sketch);
    assert_true(record_distance(&record, &before, &after) == 0);
    a[COUNT - 1][2] += 1;
    sketch_of(a, COUNT, after.sketch);
    const double found = record_distance(&record, &before, &after) * sqrt(COUNT);
    assert_true(fabs(found - 1) < 1e-9); /* a single coordinate is measured exactly */
}

TEST(test_frames)
{
    struct record record;
    (void)state;
    assert_ok(record_create(&record, 10, 5));
    assert_null(record_frame(&record, 9));
    assert_null(record_frame(&record, 15));
    for (uint64_t f = 10; f < 15; f++)
        assert_int_equal(record_frame(&record, f)->frame, f);
    const struct frame_record *frame = record_frame(&record, 12);
    assert_true(isnan(frame->bodies[0].sketch[3]) && isnan(frame->light_sum[1]) &&
                isnan(frame->psnr_y) && isnan(frame->bodies[0].diagnostics.momentum[2]) &&
                *frame->picture == '\0');
    record_free(&record);
    assert_fails(record_create(&record, 0, UINT64_MAX / 2), STATUS_RUNTIME, "fit");
    record_free(&record);
}

TEST(test_sections)
{
    struct record record = {0};
    (void)state;
    assert_null(record_section(&record, "a"));
    record_set_section(&record, "a", "1");
    record_set_section(&record, "b", "2");
    record_set_section(&record, "c", "3");
    record_set_section(&record, "b", "22");
    assert_string_equal(record_section(&record, "b"), "22");
    record_set_section(&record, "a", NULL);
    assert_null(record_section(&record, "a"));
    assert_string_equal(record_section(&record, "b"), "22");
    assert_string_equal(record_section(&record, "c"), "3");
    record_set_section(&record, "none", NULL);
    assert_int_equal(record.section_count, 2);
    record_free(&record);
}

/* The hash of a steady rate determines the times, whether ticks fall on every frame or not. */
TEST(test_steady_times)
{
    enum { FRAMES = 100 };
    int64_t ticks[FRAMES];
    char milliseconds[] = "1/1000", exact[] = "1/15360";
    (void)state;
    struct container_record container = {
        .time_base = milliseconds, .fps_num = 30, .fps_den = 1, .frames = FRAMES};
    for (int i = 0; i < FRAMES; i++)
        ticks[i] = (1000 * i + 15) / 30;
    times_hash(ticks, FRAMES, container.times);
    int64_t *known = times_of(&container);
    assert_non_null(known);
    assert_memory_equal(known, ticks, sizeof ticks);
    free(known);
    assert_true(fabs(times_tick(&container) - 0.001) < 1e-15);
    container.time_base = exact;
    assert_null(times_of(&container));
    for (int i = 0; i < FRAMES; i++)
        ticks[i] = 512 * i + (i == 50);
    times_hash(ticks, FRAMES, container.times);
    assert_null(times_of(&container));
    container.shown = ticks;
    known = times_of(&container);
    assert_memory_equal(known, ticks, sizeof ticks);
    free(known);
    container.shown = NULL;
    container.fps_num = 0;
    assert_null(times_of(&container));
    container.time_base = NULL;
    assert_true(isnan(times_tick(&container)));
}

/* Each further appearance of a frame counts as one fault. */
TEST(test_frames_shown_again)
{
    static const uint64_t shows[] = {0, 1, 1, 2, 3, 3, 3, 3};
    struct record record = {0};
    assert_ok(record_create(&record, 0, 4));
    record.shown = sizeof shows / sizeof *shows;
    record.shows = malloc(sizeof shows);
    memcpy(record.shows, shows, sizeof shows);
    struct order_faults faults = film_order_faults(&record);
    assert_string_equal(faults.text,
                        "frame 1 is in the film twice; frame 3 is in the film 4 times");
    assert_int_equal(faults.count, 1 + 3);
    assert_int_equal(faults.first, 1);
    free(faults.text);
    record_free(&record);
}

/* Lengths of 32 and of 64 bits; 0: to the end of the file; and one that goes beyond it. */
TEST(test_lengths_of_boxes)
{
    static const char ftyp[] = "\0\0\0\x0c"
                               "ftypisom",
                      wide[] = "\0\0\0\1mdat\0\0\0\0\0\0\0\x13"
                               "abc",
                      open[] = "\0\0\0\0mdatabcdefg",
                      beyond[] = "\0\0\0\x40"
                                 "freeab";
    static const struct {
        const char *box, *name;
        size_t size;
    } cases[] = {{wide, "mdat", sizeof wide - 1},
                 {open, "mdat", sizeof open - 1},
                 {beyond, "rest", sizeof beyond - 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char bytes[64];
        struct record record = {0};
        memcpy(bytes, ftyp, sizeof ftyp - 1);
        memcpy(bytes + sizeof ftyp - 1, cases[i].box, cases[i].size);
        const char *path = folder_path("boxes.mp4");
        assert_ok(file_write(path, bytes, sizeof ftyp - 1 + cases[i].size));
        assert_ok(boxes_read(path, &record));
        assert_int_equal(record.box_count, 2);
        assert_string_equal(record.boxes[0].name, "ftyp");
        assert_string_equal(record.boxes[1].name, cases[i].name);
        record_free(&record);
    }
}

TESTS(folder_set_up, folder_tear_down)

/* Forecasts from the measurements of clips. */
#include "tests/support/test.h"

#include "cmd/film/forecast/forecast.h"

#include <math.h>

static const struct forecast_measured film = {
    .start = {.frame_seconds = 9, .overhead = 0.5, .first_bytes = 9000, .frame_bytes = 900},
    .samples = {{0.1, 9, 5000, 100, {0.01, 0.1, 0.2}},
                {0.2, 9, 5000, 200, {0.02, 0.1, 0.2}},
                {0.2, 9, 7000, 200, {0.02, 0.1, 0.2}},
                {0.3, 9, 7000, 300, {0.03, 0.1, 0.2}}},
    .count = FORECAST_PLACES,
    .step_seconds = 0.25,
    .age = 3,
    .frames = 1000,
    .first = 8,
    .segments = 10,
    .tag_bytes = 800,
};

static void near_to(const char *what, double found, double want)
{
    if (!(fabs(found - want) <= 1e-9 * fabs(want)))
        fail_msg("%s: %.12g instead of %.12g", what, found, want);
}

TEST(time_is_that_of_all_frames_and_segments)
{
    const struct forecast found = forecast_predict(&film);
    const double seconds = 3 + 10 * 0.5 + 8 * 0.25 + 1000 * 0.2;
    near_to("seconds", found.seconds.value, seconds);
    near_to("at least", found.seconds.least, 0.9 * seconds - 1000 * 0.1 / 4);
    near_to("at most", found.seconds.most, 1.1 * seconds + 1000 * 0.1 / 4);
    assert_int_equal(found.places, FORECAST_PLACES);
    near_to("simulating", found.stages[0], 1000 * 0.02);
    near_to("drawing", found.stages[1], 1000 * 0.1);
    near_to("encoding", found.stages[2], 1000 * 0.2);
    near_to("the start", found.start, 3 + 0.5 + 9);
}

TEST(size_is_that_of_first_and_other_pictures)
{
    struct forecast_measured run = film;
    const double bytes = 800 + 10 * 6000 + 990 * 200;
    struct forecast found = forecast_predict(&run);
    near_to("bytes", found.bytes.value, bytes);
    near_to("at least", found.bytes.least, 0.9 * bytes - 990 * 100 / 4.0);
    near_to("at most", found.bytes.most, 1.1 * bytes + 990 * 100 / 4.0);
    assert_true(found.working_bytes == 0);
    run.segments = 1; /* a long one has several groups of pictures */
    found = forecast_predict(&run);
    near_to("bytes of one segment", found.bytes.value, 800 + 5 * 6000 + 995 * 200);
}

TEST(hidden_frames_need_no_room)
{
    struct forecast_measured run = film;
    run.hidden = 250;
    const struct forecast seen = forecast_predict(&film), found = forecast_predict(&run);
    near_to("bytes", found.bytes.value, 800 + 8 * 6000 + (750 - 8) * 200);
    near_to("seconds", found.seconds.value, seen.seconds.value);
}

TEST(segments_that_are_joined_lie_on_the_disk_twice)
{
    struct forecast_measured run = film;
    run.joins = true;
    const struct forecast apart = forecast_predict(&film), found = forecast_predict(&run);
    near_to("bytes", found.bytes.value, apart.bytes.value);
    near_to("on the disk at once", found.working_bytes, 2 * apart.bytes.value);
    near_to("seconds", found.seconds.value, apart.seconds.value + 2 * apart.bytes.value / 200e6);
}

TEST(the_beginning_alone_is_less_certain)
{
    struct forecast_measured run = film;
    run.count = 0;
    struct forecast found = forecast_predict(&run);
    const double seconds = 3 + 10 * 0.5 + 8 * 0.25 + 1000 * 9.0;
    near_to("seconds", found.seconds.value, seconds);
    near_to("at least", found.seconds.least, 0.7 * seconds);
    near_to("at most", found.seconds.most, 1.7 * seconds);
    near_to("bytes", found.bytes.value, 800 + 10 * 9000 + 990 * 900);
    assert_int_equal(found.places, 1);
    run.count = 1;
    found = forecast_predict(&run);
    near_to("seconds of one place", found.seconds.value, 10 + 1000 * 0.1);
    near_to("at most", found.seconds.most, 1.7 * 110);
    assert_int_equal(found.places, 1);
}

TESTS(NULL, NULL)

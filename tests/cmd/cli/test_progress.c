/* The bar on a terminal. */
#include "tests/support/test.h"

#include "cmd/cli/progress.h"
#include "tests/support/programs/terminal.h"

#include <string.h>

/* The screen of a terminal with that many columns; valid until the next call. */
static const char *shown(unsigned short columns, uint64_t done, uint64_t wanted)
{
    static char text[1024];
    const struct pipeline_progress now = {
        .wanted = wanted, .done[STAGE_ENCODE] = done, .elapsed = 2};
    struct progress *progress;
    terminal_resize(columns);
    assert_ok(progress_open(&progress, false, NULL));
    progress_tick(progress, &now);
    snprintf(text, sizeof text, "%s", terminal_shown());
    assert_true(*text);
    assert_ok(progress_close(&progress, &now, "end"));
    assert_true(*terminal_shown()); /* the line is cleared */
    return text;
}

TEST(the_bar_is_filled_by_what_is_done)
{
    assert_contains(shown(100, 0, 8), "[>          ");
    assert_contains(shown(100, 4, 8), "==>  ");
    assert_says(shown(100, 8, 8), "8/8 frames 4.0 frames/s 0:00");
    assert_null(strchr(shown(40, 4, 8), '['));
    assert_int_equal(strlen(shown(40, 4, 8)), 39);
}

/* A film whose segments are all complete. */
TEST(nothing_to_do_is_all_done)
{
    assert_contains(shown(100, 0, 0), "==] 0/0 frames, 0.0 frames/s");
}

TESTS(terminal_open, terminal_close)

/* SIGKILL before chosen changes of the disk, spread over the run, also several in a row. */
#include "tests/support/test.h"

#include "tests/faults/films.h"

#include <stdio.h>

static const struct fault_film *const mp4 = &fault_films[FILM_H264];
static const struct fault_film *const pictures = &fault_films[FILM_PICTURES];

static void kill_at(const struct fault_film *film, const char *whole, long step)
{
    char fault[32];
    snprintf(fault, sizeof fault, "kill %ld", step);
    assert_int_equal(fault_interrupt(film, whole, fault), 1000 + 9);
}

TEST(a_killed_film_is_resumed)
{
    cli_need_gl();
    const long count = fault_count(mp4, "whole");
    kill_at(mp4, "whole", 1);
    kill_at(mp4, "whole", count / 4);
    kill_at(mp4, "whole", 2 * count / 3);
    /* Among the removals at the end; the number of changes depends slightly on the threads. */
    char fault[32];
    snprintf(fault, sizeof fault, "kill %ld", count - 3);
    fault_interrupt(mp4, "whole", fault);
}

TEST(a_killed_sequence_is_resumed)
{
    cli_need_gl();
    const long count = fault_count(pictures, "drawn");
    kill_at(pictures, "drawn", count / 3);
    kill_at(pictures, "drawn", 2 * count / 3);
}

/* Each run gets a little further than the one before it. */
TEST(any_number_of_kills)
{
    cli_need_gl();
    const long count = fault_count(mp4, "uncut");
    char fault[32];
    snprintf(fault, sizeof fault, "kill %ld", count / 2);
    int kills = 0, code;
    while ((code = fault_run(mp4, "cut", fault, "--resume", NULL)) == 1000 + 9)
        assert_true(++kills < 12);
    assert_int_equal(code, 0);
    assert_true(kills > 1);
    fault_same(mp4, "cut", "uncut");
    fault_remove("cut");
}

TESTS(cli_set_up, cli_tear_down)

/* Films of every kind, interrupted and resumed. */
#include "tests/support/test.h"

#include "tests/faults/films.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void every_kind_is_resumed(void **state)
{
    (void)state;
    fault_need_gl();
    fault_films_prepare();
    for (int i = FILM_PICTURES + 1; fault_films[i].name; i++) {
        const struct fault_film *film = &fault_films[i];
        char fault[32];
        snprintf(fault, sizeof fault, "kill %ld", 2 * fault_count(film, "whole") / 3);
        assert_int_equal(fault_interrupt(film, "whole", fault), 1000 + 9);
        fault_remove("whole");
    }
}

/* "stopped ... after K of N frames" */
static long frames_said(const struct run *run)
{
    const char *after = strstr(run->err, "stopped by Ctrl-C (SIGINT) after ");
    return after ? strtol(after + strlen("stopped by Ctrl-C (SIGINT) after "), NULL, 10) : 0;
}

/* Twice, within segments and between them: no frame is simulated or drawn again. */
static void what_a_stop_keeps(const struct fault_film *film, long count)
{
    struct run run;
    long had = 0;
    for (long part = 1; part <= 2; part++) {
        char fault[32];
        snprintf(fault, sizeof fault, "stop %ld", part == 1 ? count / 3 : 13);
        const int code = fault_run(film, "cut", fault, part == 1 ? NULL : "--resume", &run);
        assert_true(code == 130 || code == 0);
        const long frames = frames_said(&run);
        assert_true(code == 0 || frames >= had);
        had = frames > had ? frames : had;
        run_free(&run);
        if (code == 0)
            break;
    }
    assert_int_equal(fault_run(film, "cut", NULL, "--resume", &run), 0);
    char *said = text_format("%ld of ", had);
    if (had > 0 && !has_words(run.err, "complete"))
        assert_says(run.err, said);
    free(said);
    run_free(&run);
    fault_same(film, "cut", "whole");
    fault_remove("cut");
}

static void every_kind_continues_where_it_was_stopped(void **state)
{
    (void)state;
    fault_need_gl();
    fault_films_prepare();
    for (int i = 0; fault_films[i].name; i++) {
        what_a_stop_keeps(&fault_films[i], fault_count(&fault_films[i], "whole"));
        fault_remove("whole");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_resumed),
        cmocka_unit_test(every_kind_continues_where_it_was_stopped),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}

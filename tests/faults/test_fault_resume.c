/* Films of every kind, interrupted and resumed. */
#include "tests/support/test.h"

#include "tests/faults/films.h"

#include "base/text.h"
#include "tests/support/films/segments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(every_kind_is_resumed)
{
    cli_need_gl();
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

/* A film that ends where it was stopped has as many frames as was said. */
static void has_frames(const struct fault_film *film, uint64_t frames)
{
    if (frames == 0 || strstr(film->output, "%"))
        return;
    uint64_t hashes[FAULT_FRAMES_MAX];
    char *path = text_format("%s/cut/%s", cli_folder, film->output);
    const uint64_t found = segments_decode(path, hashes, NULL, FAULT_FRAMES_MAX);
    if (found != frames)
        fail_msg("%s: %d frames instead of %d", film->name, (int)found, (int)frames);
    free(path);
}

/* Stopped within segments and between them, also before a resumed run has come to the segment that
 * the first stop interrupted: no frame is simulated or drawn again, or missing from the film. */
static void what_a_stop_keeps(const struct fault_film *film, long count)
{
    const long stops[] = {count / 3, 8, 11, 12, 13};
    struct run run;
    long had = 0;
    for (size_t part = 0; part < sizeof stops / sizeof *stops; part++) {
        char fault[32];
        snprintf(fault, sizeof fault, "stop %ld", stops[part]);
        const int code = fault_run(film, "cut", fault, part == 0 ? NULL : "--resume", &run);
        assert_true(code == 130 || code == 0);
        const long frames = frames_said(&run);
        /* Before the program catches signals, the first one ends it without a word. */
        if (code == 130 && *run.err && frames < had)
            fail_msg("%s: %ld frames, after %ld: %s", film->name, frames, had, run.err);
        has_frames(film, (uint64_t)frames);
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

TEST(every_kind_continues_where_it_was_stopped)
{
    cli_need_gl();
    fault_films_prepare();
    for (int i = 0; fault_films[i].name; i++) {
        what_a_stop_keeps(&fault_films[i], fault_count(&fault_films[i], "whole"));
        fault_remove("whole");
    }
}

TESTS(cli_set_up, cli_tear_down)

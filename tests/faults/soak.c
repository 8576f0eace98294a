/* Kills and stops films of every kind at random moments until they are complete, see scripts/soak.
 * Arguments: the seed and the number of faults. */
#include "tests/support/test.h"

#include "base/clock.h"
#include "tests/faults/films.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long seed;
static long faults;

/* SplitMix64. */
static uint64_t draw(void)
{
    static uint64_t at;
    uint64_t z = at += 0x9e3779b97f4a7c15u + (at == 0 ? seed : 0);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Killed after a random time within a run that takes `seconds`. */
static int kill_at(const struct fault_film *film, double seconds, struct run *run)
{
    const struct run_options options = {.folder = cli_folder};
    struct run_process process;
    run_start(&process, &options, fault_words(film, "cut", "--resume"));
    usleep((useconds_t)(seconds * 1e6));
    run_signal(&process, SIGKILL);
    run_finish(&process, run);
    return run->code;
}

static long soak(const struct fault_film *film, long most)
{
    static const char *const kinds[] = {"clock", "clock", "kill", "kill",
                                        "stop",  "leave", "full", "frozen"};
    const double begun = clock_seconds();
    const long count = fault_count(film, "whole");
    const double seconds = clock_seconds() - begun;
    char done[256] = "", fault[32];
    long made = 0;
    for (int code = 1; code != 0; made++) {
        const char *kind = kinds[draw() % 8];
        const long moment = 1 + (long)(draw() % (uint64_t)count);
        const bool by_clock = strcmp(kind, "clock") == 0;
        struct run run;
        snprintf(fault, sizeof fault, "%s %ld", made < most ? kind : "last", moment);
        if (made < most && by_clock)
            code = kill_at(film, seconds * (double)moment / (double)count, &run);
        else
            code = fault_run(film, "cut", made < most ? fault : NULL, "--resume", &run);
        const size_t used = strlen(done);
        snprintf(done + used, sizeof done - used, " %s (%d)", fault, code);
        /* Before the first frame SIGINT ends the program like any other. */
        if (code != 0 && code != 5 && code != 130 && code != 1000 + 2 && code != 1000 + 9)
            fail_msg("%s after%s: %s", film->name, done, run.err);
        run_free(&run);
    }
    printf("%-30s%s\n", film->name, done);
    fault_same(film, "cut", "whole");
    fault_remove("cut");
    fault_remove("whole");
    return made;
}

static void everything_is_resumed(void **state)
{
    (void)state;
    cli_need_gl();
    fault_films_prepare();
    for (long made = 0, i = 0; made < faults; i++) {
        if (!fault_films[i].name)
            i = 0;
        made += soak(&fault_films[i], 1 + (long)(draw() % 5));
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s SEED FAULTS\n", argv[0]);
        return 2;
    }
    seed = strtoul(argv[1], NULL, 10);
    faults = strtol(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_resumed)};
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}

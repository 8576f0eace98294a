/* Processes that are forked to read snapshots, and libraries that are slow to load. */
#include "tests/support/test.h"

#include "tests/faults/faults.h"

#include <string.h>

TEST(no_process_is_forked_while_a_library_is_loaded)
{
    cli_need_gl();
    static const char *const outputs[] = {"%d.png", "film.mp4"};
    cli(0, "simulate", "plummer", "-n", "64", "--every", "0.5", "--until", "1", "-o", "s_%d.hdf5");
    for (int i = 0; i < 2; i++) {
        const struct fault_film played = {
            "snapshots", outputs[i],
            ARGUMENTS("--snapshots", "s_*.hdf5", "--size", "64x36", "--frames", "5"), false};
        struct run run;
        assert_int_equal(fault_run(&played, "film", "load 200", NULL, &run), 0);
        assert_non_null(strstr(run.err, "loaded="));
        assert_null(strstr(run.err, "loaded=0"));
        assert_null(strstr(run.err, "forked while"));
        run_free(&run);
    }
}

TESTS(cli_set_up, cli_tear_down)

/* `check --selftest`: the changes of a whole film that a check must detect. */
#include "tests/support/test.h"

#include "tests/support/cli.h"

#include <stdlib.h>
#include <string.h>

static void every_change_is_seen(void **state)
{
    (void)state;
    static const char *const changes[] = {"dt",       "body_missing", "star_added", "shift",
                                          "exposure", "grey",         "crf"};
    cli_need_gl();
    cli(0, "baseline", "plummer", "-n", "64", "--size", "64x36", "--frames", "3", "--selftest",
        "none", "-o", "b");
    const struct run *run = cli(0, "check", "b", "--selftest", "--json", "report.json");
    assert_says(run->out, "'7 of 7' stages");
    char *text = cli_read("report.json");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char what[48];
        snprintf(what, sizeof what, "\"what\": \"%s\"", changes[i]);
        assert_contains(text, what);
    }
    free(text);

    /* A limit that lets one of them pass fails the check. */
    run = cli(3, "check", "b", "--selftest", "--limit", "picture.bits=never");
    assert_says(run->out, "trusted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_is_seen),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}

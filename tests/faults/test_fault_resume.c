/* Films of every kind, interrupted and resumed. */
#include "tests/support/test.h"

#include "tests/faults/films.h"

#include <stdio.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_resumed),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}

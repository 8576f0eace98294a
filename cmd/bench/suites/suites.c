#include "cmd/bench/bench.h"

#include "base/suggest.h"

#include <string.h>

const struct bench_suite *const bench_suites[] = {&bench_solver,     &bench_gems3,  &bench_evl2008,
                                                  &bench_bondarenko, &bench_stride, &bench_draw,
                                                  &bench_pipeline,   NULL};

enum status bench_find_suite(const char *name, const struct bench_suite **suite)
{
    struct suggestion suggestion = {name, NULL, 0};
    *suite = NULL;
    suggest_offer(&suggestion, "all");
    for (const struct bench_suite *const *s = bench_suites; *s; s++) {
        suggest_offer(&suggestion, (*s)->name);
        if (strcmp((*s)->name, name) == 0)
            *suite = *s;
    }
    if (*suite)
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "there is no suite '%s'%s%s `--suite help` lists them", name,
                       suggest_text(&suggestion), suggestion.best ? "" : ";");
}

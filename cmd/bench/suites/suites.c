#include "cmd/bench/suites/suites.h"

#include "base/log.h"
#include "base/ranks/ranks.h"

extern const struct bench_suite suite_solver, suite_gems3, suite_tree, suite_files, suite_draw,
    suite_pipeline;

static const struct bench_suite suite_all = {.name = "all", .doc = "one after the other"};

static const struct bench_suite *const suites[] = {&suite_solver, &suite_gems3, &suite_tree,
                                                   &suite_files,  &suite_draw,  &suite_pipeline,
                                                   &suite_all};

const struct registry bench_suite_registry = REGISTRY_LIST("suite", suites);

/* Collective on ranks. */
static enum status run(const struct bench_suite *suite, const struct bench_options *options,
                       struct bench_report *report)
{
    enum status status = STATUS_OK;
    log_info("suite %s: %s%s", suite->name, suite->doc,
             !ranks_are_together() ? ""
             : suite->on_ranks     ? "; all ranks share the forces"
                                   : "; rank 0 measures it alone");
    if (suite->on_ranks)
        return suite->run(options, report);
    if (ranks_begin_first())
        status = suite->run(options, report);
    return ranks_end_first(status);
}

enum status bench_run_suite(const struct bench_suite *suite, const struct bench_options *options,
                            struct bench_report *report)
{
    enum status status = STATUS_OK;
    const struct bench_suite *each;
    for (size_t s = 0; status == STATUS_OK && (each = choice_at(&bench_suite_registry, s)); s++) {
        if (!each->run || (suite->run && suite != each))
            continue;
        bench_ready(report); /* starts to watch for other users of the machine */
        status = run(each, options, report);
        if (status != STATUS_OK)
            status_prefix(status, "suite %s", each->name);
        else
            bench_ready(report);
    }
    return status;
}

/* The self-test: each control (cmd/regression/controls), a change that a check must see, is made to
 * a short film of the scene. A check that passes in spite of one cannot be trusted; the smallest
 * that it sees says how much it is worth. */
#ifndef CMD_REGRESSION_BASELINE_SELFTEST_H
#define CMD_REGRESSION_BASELINE_SELFTEST_H

#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/rules.h"

struct selftest {
    struct run_params run; /* the scene, and how its film is made; the folder is for films */
    const struct limits *limits;
    /* Called for each control that was made: the smallest size of it that limits see, as on
     * another platform ("0.5 %"), or that only bits tell of it. */
    void (*tell)(void *user, const char *what, const char *smallest, enum judged stage);
    void *user;
    uint32_t made; /* controls; filled in */
};

/* STATUS_MISMATCH, naming it, when a control passes. Controls that cannot be made of the scene are
 * left out; a scene whose moments do not fit into a short film has no self-test, which is said. */
enum status selftest_make(struct selftest *selftest);

#endif

/* The self-test makes each control (cmd/regression/controls), a change that a check must detect, in
 * a short film of the scene. A check that passes despite a control cannot be trusted; the smallest
 * change that it detects is a measure of its sensitivity. */
#pragma once

#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/rules.h"

struct selftest {
    struct run_params run; /* the scene and how to make its film; the folder is for films */
    const struct limits *limits;
    /* Called for each control that was made, with the smallest size ("0.5 %") that the limits
     * detect, as they would on another platform, or with a note that only the bits reveal it. */
    void (*tell)(void *user, const char *what, const char *smallest, enum judged stage);
    void *user;
};

/* Returns STATUS_MISMATCH, naming the control, when a control passes. Skips controls that cannot be
 * made in the scene. A scene whose moments do not fit into a short film has no self-test, which is
 * reported. */
enum status selftest_make(struct selftest *selftest);

#include "sim/solver/cuda/blocks.h"
#include "kernels/steps/rungs.h"
#include "sim/solver/cuda/force.h"
#include "sim/solver/cuda/state.h"

static enum status choose(struct solver *solver, const struct rung_rule *rule, int from,
                          uint64_t count[RUNGS + 1])
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "choose the bodies' steps";
    const struct rungs_cuda_rule by = {.eta = rule->eta,
                                       .frame_time = rule->frame_time,
                                       .softening = cuda->sources.softening,
                                       .most = RUNGS};
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK) /* halves are in double: only such forces are partial */
        status = cuda_check(cuda,
                            rungs_cuda_choose(solver->count, &by, cuda->acceleration, cuda->halves,
                                              from, cuda->rungs, cuda->found, cuda->stream),
                            what);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, count, cuda->found, (RUNGS + 1) * sizeof *count, what);
    return status;
}

static enum status accelerate(struct solver *solver, int from)
{
    return cuda_evaluate(cuda_of(solver), from);
}

static enum status kick_half(struct solver *solver, double frame_time, int from)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda,
                            rungs_cuda_kick_half(solver->count, cuda->velocity, cuda->acceleration,
                                                 frame_time, cuda->rungs, from, cuda->stream),
                            "kick the bodies");
    return status;
}

static enum status save(struct solver *solver, uint8_t *rungs)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, rungs, cuda->rungs, solver->count, "save the bodies' steps");
    return status;
}

static enum status load(struct solver *solver, const uint8_t *rungs)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "load the bodies' steps";
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda,
                            cudaMemcpyAsync(cuda->rungs, rungs, solver->count,
                                            cudaMemcpyHostToDevice, cuda->stream),
                            what);
    return status == STATUS_OK ? cuda_finish(cuda, what) : status;
}

const struct solver_blocks cuda_blocks = {
    .choose = choose,
    .accelerate = accelerate,
    .kick_half = kick_half,
    .save = save,
    .load = load,
};

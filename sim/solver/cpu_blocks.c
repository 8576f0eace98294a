#include "sim/solver/cpu_blocks.h"
#include "sim/solver/cpu_state.h"

#include <math.h>
#include <string.h>

static double softening_of(const struct sources *sources, size_t i)
{
    const double *halves = sources->halves; /* of a force in double: only such forces are partial */
    return halves ? sqrt(2 * halves[i]) : sources->softening;
}

static enum status choose(struct solver *solver, const struct rung_rule *rule, int from,
                          uint64_t count[RUNGS + 1])
{
    struct cpu *cpu = cpu_of(solver);
    uint64_t chosen[RUNGS + 1] = {0};
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(cpu_threads(solver)) \
    reduction(+ : chosen)
    for (size_t i = 0; i < solver->count; i++) {
        if (cpu->rungs[i] < from)
            continue;
        const double *a = cpu->acceleration[i];
        const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        int rung = rung_for(rule, softening_of(&cpu->sources.read, i), size);
        cpu->rungs[i] = (uint8_t)(rung > from ? rung : from);
        chosen[cpu->rungs[i]]++;
    }
    memcpy(count, chosen, sizeof chosen);
    return STATUS_OK;
}

static enum status kick_half(struct solver *solver, double frame_time, int from)
{
    struct cpu *cpu = cpu_of(solver);
    double half[RUNGS];
    for (int k = 0; k < RUNGS; k++)
        half[k] = ldexp(frame_time, -k) / 2;
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(cpu_threads(solver))
    for (size_t i = 0; i < solver->count; i++)
        for (int c = 0; cpu->rungs[i] >= from && c < 3; c++)
            cpu->velocity[i][c] += cpu->acceleration[i][c] * half[cpu->rungs[i]];
    return STATUS_OK;
}

static enum status accelerate(struct solver *solver, int from)
{
    return cpu_evaluate(cpu_of(solver), from);
}

static enum status save(struct solver *solver, uint8_t *rungs)
{
    memcpy(rungs, cpu_of(solver)->rungs, solver->count);
    return STATUS_OK;
}

static enum status load(struct solver *solver, const uint8_t *rungs)
{
    memcpy(cpu_of(solver)->rungs, rungs, solver->count);
    return STATUS_OK;
}

const struct solver_blocks cpu_blocks = {
    .choose = choose,
    .accelerate = accelerate,
    .kick_half = kick_half,
    .save = save,
    .load = load,
};

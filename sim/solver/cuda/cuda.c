#include "sim/solver/cuda/cuda_state.h"

#include "base/queue.h"
#include "base/status.h"
#include "kernels/steps/device_state.h"
#include "sim/solver/solver.h"

#include <stdlib.h>

/* Force evaluations of a CUDA solver: the force, the sources of the current turn, and the time
 * taken. */

/* With a subset, selects the sources of this turn. */
static int take_turn(struct cuda *cuda)
{
    size_t count = cuda->solver.count, first = cuda->solver.turn % cuda->subset;
    if (cuda->subset == 1)
        return cudaSuccess;
    int error = cuda->order
                    ? state_cuda_part_tiled(count, cuda->rows, cuda->centres, first, cuda->subset,
                                            cuda->part, cuda->part_centres, cuda->stream)
                    : state_cuda_part(count, cuda->number, cuda->rows, first, cuda->subset,
                                      cuda->part, cuda->stream);
    if (error == cudaSuccess && cuda->halves)
        error = state_cuda_part_halves(count, cuda->number, cuda->halves, first, cuda->subset,
                                       cuda->part_halves, cuda->stream);
    return error;
}

static int launch(struct cuda *cuda)
{
    struct force *force = cuda->solver.force;
    int error = take_turn(cuda);
    if (error == cudaSuccess)
        error = force->path->accelerate(force, &cuda->sources, (double(*)[3])cuda->acceleration,
                                        cuda->stream);
    return error;
}

static int launch_timed(struct cuda *cuda)
{
    cudaEvent_t *timer = cuda->timer[cuda->timed];
    int error = cudaEventRecord(timer[0], cuda->stream);
    if (error == cudaSuccess)
        error = launch(cuda);
    if (error == cudaSuccess)
        error = cudaEventRecord(timer[1], cuda->stream);
    if (error == cudaSuccess)
        cuda->timed++;
    return error;
}

/* Computes the accelerations of the bodies from that rung on; -1: of all bodies, whatever their
 * rungs. */
static enum status cuda_evaluate(struct cuda *cuda, int from_rung)
{
    struct solver *solver = &cuda->solver;
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK && !cuda->recording && cuda->timed == CUDA_TIMERS)
        status = cuda_finish(cuda, "compute forces");
    if (status == STATUS_OK)
        status = cuda_settle(cuda);
    if (status != STATUS_OK)
        return status;
    cuda->sources.rungs = from_rung < 0 ? NULL : cuda->rungs;
    cuda->sources.from_rung = from_rung;
    int error = cuda->recording ? launch(cuda) : launch_timed(cuda);
    solver->interactions += solver->force->interactions;
    solver->turn++;
    return cuda_check(cuda, error, "compute forces");
}

/* Verbs of struct solver_ops. */
static enum status cuda_accelerate(struct solver *solver)
{
    return cuda_evaluate(cuda_of(solver), -1);
}

static enum status cuda_potential(struct solver *solver, double *energy)
{
    struct cuda *cuda = cuda_of(solver);
    const char *what = "compute the potential";
    struct force *force = solver->force;
    double *phi = malloc(solver->count * sizeof *phi), *device_phi = force->work;
    if (!phi)
        return status_fail(STATUS_RUNTIME, "no memory for the potential of %zu bodies, %zu bytes",
                           solver->count, solver->count * sizeof *phi);
    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(
            cuda, force->path->potential(force, &cuda->sources, device_phi, cuda->stream), what);
    if (status == STATUS_OK)
        status = cuda_fetch(cuda, phi, device_phi, solver->count * sizeof *phi, what);
    double sum = 0;
    for (size_t i = 0; status == STATUS_OK && i < solver->count; i++)
        sum += cuda->mass[i] * phi[i];
    free(phi);
    *energy = sum / 2;
    return status;
}

/* Maximum number of steps in a graph: launching a graph costs as much as a few small kernels. A run
 * can stop only between graphs, so a graph of large steps holds one step. */
enum { STEPS_MAX = 32 };
static const double interactions_max = 1e12; /* a fraction of a second */

static uint64_t steps_of_graph(const struct solver *solver, uint64_t rest)
{
    double steps = interactions_max / solver->force->interactions;
    uint64_t most = steps < 1 ? 1 : steps > STEPS_MAX ? STEPS_MAX : (uint64_t)steps;
    return rest < most ? rest : most;
}

static void forget(struct cuda_graph *graph)
{
    if (graph->executable)
        (void)cudaGraphExecDestroy(graph->executable);
    *graph = (struct cuda_graph){0};
}

void cuda_forget_graphs(struct cuda *cuda)
{
    for (int g = 0; g < CUDA_GRAPHS; g++)
        forget(&cuda->graphs[g]);
}

/* Records the launches of `request->steps` steps instead of making them. */
static enum status record(struct cuda *cuda, const struct cuda_graph *request,
                          struct cuda_graph *out)
{
    struct solver *solver = &cuda->solver;
    struct solver before = *solver;
    cudaGraph_t graph = NULL;
    forget(out);
    enum status status =
        cuda_check(cuda, cudaStreamBeginCapture(cuda->stream, cudaStreamCaptureModeThreadLocal),
                   "record a step");
    if (status != STATUS_OK)
        return status;
    cuda->recording = true;
    enum status made = STATUS_OK;
    for (uint64_t k = 0; made == STATUS_OK && k < request->steps; k++)
        made = request->step(solver, request->dt, request->damping);
    if (made == STATUS_OK)
        made = cuda_settle(cuda);
    cuda->recording = false;
    *out = *request;
    int error = cudaStreamEndCapture(cuda->stream, &graph);
    if (made == STATUS_OK && error == cudaSuccess)
        error = cudaGraphInstantiate(&out->executable, graph, 0);
    if (graph)
        (void)cudaGraphDestroy(graph);
    out->interactions = solver->interactions - before.interactions;
    out->turns = solver->turn - before.turn;
    solver->interactions = before.interactions;
    solver->turn = before.turn;
    return made == STATUS_OK ? cuda_check(cuda, error, "record a step") : made;
}

/* Returns the recorded graph for these steps; a new recording replaces the least recently used
 * one. */
static enum status find(struct cuda *cuda, const struct cuda_graph *request,
                        struct cuda_graph **out)
{
    for (int g = 0; g < CUDA_GRAPHS; g++) {
        struct cuda_graph *graph = &cuda->graphs[g];
        if (graph->executable && graph->step == request->step && graph->dt == request->dt &&
            graph->damping == request->damping && graph->steps == request->steps &&
            graph->past == request->past) {
            cuda->last_graph = g;
            *out = graph;
            return STATUS_OK;
        }
    }
    cuda->last_graph = (cuda->last_graph + 1) % CUDA_GRAPHS;
    *out = &cuda->graphs[cuda->last_graph];
    return record(cuda, request, *out);
}

static enum status replay(struct cuda *cuda, const struct cuda_graph *graph)
{
    cudaEvent_t *timer = cuda->timer[cuda->timed];
    int error = cudaEventRecord(timer[0], cuda->stream);
    if (error == cudaSuccess)
        error = cudaGraphLaunch(graph->executable, cuda->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(timer[1], cuda->stream);
    if (error == cudaSuccess)
        cuda->timed++;
    cuda->solver.interactions += graph->interactions;
    cuda->solver.turn += graph->turns;
    return cuda_check(cuda, error, "make a step");
}

/* Limits how long a stop can take. One graph may run while the next is launched, so that the device
 * does not wait, unless the force has to be looked after. */
static enum status limit_ahead(struct cuda *cuda)
{
    if (cuda->solver.force->path->look)
        return cuda_finish(cuda, "make a step");
    return cuda->timed < 2 ? STATUS_OK
                           : cuda_check(cuda, cudaEventSynchronize(cuda->timer[cuda->timed - 2][1]),
                                        "make a step");
}

/* The verb of struct solver_ops. */
static enum status cuda_repeat(struct solver *solver, solver_step step, double dt, double damping,
                               uint64_t count, volatile sig_atomic_t *stop, uint64_t *done)
{
    struct cuda *cuda = cuda_of(solver);
    enum status status = cuda_begin(cuda); /* pending kicks are not part of the steps */
    for (*done = 0; status == STATUS_OK && *done < count;) {
        if (stop_asked(stop))
            return STATUS_STOPPED;
        const struct cuda_graph request = {.step = step,
                                           .dt = dt,
                                           .damping = damping,
                                           .past = solver->force->past,
                                           .steps = steps_of_graph(solver, count - *done)};
        struct cuda_graph *graph;
        if (*done > 0)
            status = limit_ahead(cuda);
        if (status == STATUS_OK)
            status = find(cuda, &request, &graph);
        if (status == STATUS_OK && cuda->timed == CUDA_TIMERS)
            status = cuda_finish(cuda, "make a step");
        if (status == STATUS_OK)
            status = replay(cuda, graph);
        if (status == STATUS_OK)
            *done += request.steps;
    }
    return status;
}

/* Steps per body on CUDA. Rungs stay on the device; choosing them waits for the number of bodies on
 * each rung, the only wait in a step. */

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

static const struct solver_blocks cuda_blocks = {
    .choose = choose,
    .accelerate = accelerate,
    .kick_half = kick_half,
    .save = save,
    .load = load,
};

const struct solver_ops solver_cuda = {
    .name = "cuda",
    .doc = "an NVIDIA GPU",
    .views = VIEW_CUDA,
    .numbered = true,
    .probe = cuda_probe,
    .describe = cuda_describe,
    .encodes = cuda_encodes,
    .open = cuda_open,
    .accelerate = cuda_accelerate,
    .kick = cuda_kick,
    .drift = cuda_drift,
    .damp = cuda_damp,
    .repeat = cuda_repeat,
    .blocks = &cuda_blocks,
    .keep = cuda_keep,
    .restore = cuda_restore,
    .potential = cuda_potential,
    .save = cuda_save,
    .load = cuda_load,
    .find_broken = cuda_find_broken,
    .accelerations = cuda_accelerations,
    .largest = cuda_largest,
    .view_create = cuda_view_create,
    .view_fill = cuda_view_fill,
    .view_read = cuda_view_read,
    .view_destroy = cuda_view_destroy,
    .memory = cuda_memory,
    .close = cuda_close,
};

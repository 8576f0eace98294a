#include "base/stop.h"
#include "sim/solver/cuda/graph.h"

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

enum status cuda_repeat(struct solver *solver, solver_step step, double dt, double damping,
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

#include "sim/solver_cuda_state.h"

/* Steps under way before the host waits, so that a run can be stopped. */
enum { STEPS_UNDER_WAY = 32 };

void cuda_forget_graph(struct cuda *cuda)
{
    if (cuda->graph.executable)
        (void)cudaGraphExecDestroy(cuda->graph.executable);
    cuda->graph = (struct cuda_graph){0};
}

/* Records the launches of one step instead of making them. */
static enum status record(struct cuda *cuda, solver_step step, double dt, double damping)
{
    struct solver *solver = &cuda->solver;
    struct solver before = *solver;
    cudaGraph_t graph = NULL;
    cuda_forget_graph(cuda);
    enum status status =
        cuda_check(cuda, cudaStreamBeginCapture(cuda->stream, cudaStreamCaptureModeThreadLocal),
                   "record a step");
    if (status != STATUS_OK)
        return status;
    cuda->recording = true;
    enum status made = step(solver, dt, damping);
    cuda->recording = false;
    int error = cudaStreamEndCapture(cuda->stream, &graph);
    if (made == STATUS_OK && error == cudaSuccess)
        error = cudaGraphInstantiate(&cuda->graph.executable, graph, 0);
    if (graph)
        (void)cudaGraphDestroy(graph);
    cuda->graph.step = step;
    cuda->graph.dt = dt;
    cuda->graph.damping = damping;
    cuda->graph.interactions = solver->interactions - before.interactions;
    cuda->graph.turns = solver->turn - before.turn;
    solver->interactions = before.interactions;
    solver->turn = before.turn;
    return made == STATUS_OK ? cuda_check(cuda, error, "record a step") : made;
}

static enum status replay(struct cuda *cuda, uint64_t count, volatile int *stop, uint64_t *done)
{
    const struct cuda_graph *graph = &cuda->graph;
    cudaEvent_t *timer = cuda->timer[0];
    int error = cudaEventRecord(timer[0], cuda->stream);
    uint64_t made = 0;
    for (; error == cudaSuccess && made < count && made < STEPS_UNDER_WAY && !(stop && *stop);
         made++)
        error = cudaGraphLaunch(graph->executable, cuda->stream);
    if (error == cudaSuccess)
        error = cudaEventRecord(timer[1], cuda->stream);
    if (error == cudaSuccess)
        cuda->timed = 1;
    cuda->solver.interactions += graph->interactions * (double)made;
    cuda->solver.turn += graph->turns * made;
    *done += made;
    return cuda_check(cuda, error, "make a step");
}

enum status cuda_repeat(struct solver *solver, solver_step step, double dt, double damping,
                        uint64_t count, volatile int *stop, uint64_t *done)
{
    struct cuda *cuda = cuda_of(solver);
    const struct cuda_graph *graph = &cuda->graph;
    enum status status = cuda_enter(cuda);
    *done = 0;
    if (status == STATUS_OK &&
        (!graph->executable || graph->step != step || graph->dt != dt || graph->damping != damping))
        status = record(cuda, step, dt, damping);
    while (status == STATUS_OK && *done < count) {
        if (stop && *stop)
            return STATUS_STOPPED;
        status = cuda_finish(cuda, "make a step"); /* frees the timer */
        if (status == STATUS_OK)
            status = replay(cuda, count - *done, stop, done);
    }
    return status;
}

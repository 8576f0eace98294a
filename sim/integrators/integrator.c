#include "sim/integrators/integrator.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* ---- integrators ---- */

/* The operations of an integrator on the bodies, written as in the papers. After one of them fails,
 * the others do nothing and its status is kept. */
struct motion {
    struct solver *solver;
    enum status status;
};

/* v += a dt */
static inline void kick(struct motion *motion, double dt)
{
    if (motion->status == STATUS_OK)
        motion->status = motion->solver->ops->kick(motion->solver, dt);
}

/* x += v dt */
static inline void drift(struct motion *motion, double dt)
{
    if (motion->status == STATUS_OK)
        motion->status = motion->solver->ops->drift(motion->solver, dt);
}

/* a from the present x */
static inline void accelerate(struct motion *motion)
{
    if (motion->status == STATUS_OK)
        motion->status = motion->solver->ops->accelerate(motion->solver);
}

/* v *= factor */
static inline void damp(struct motion *motion, double factor)
{
    if (motion->status == STATUS_OK && factor != 1)
        motion->status = motion->solver->ops->damp(motion->solver, factor);
}

/* kick dt/2, drift dt, kick dt/2 */
static void kdk(struct motion *motion, double dt)
{
    kick(motion, dt / 2);
    drift(motion, dt);
    accelerate(motion);
    kick(motion, dt / 2);
}

static enum status kdk_step(struct solver *solver, double dt, double damping)
{
    (void)damping;
    struct motion motion = {solver, STATUS_OK};
    kdk(&motion, dt);
    return motion.status;
}

const struct integrator integrator_kdk = {
    .name = "kdk",
    .doc = "kick-drift-kick leapfrog: second order, symplectic, time-reversible",
    .order = 2,
    .forces_per_step = 1,
    .traits = INTEGRATOR_ADAPTS | INTEGRATOR_SPLITS,
    .step = kdk_step,
};

static enum status dkd_step(struct solver *solver, double dt, double damping)
{
    (void)damping;
    struct motion motion = {solver, STATUS_OK};
    drift(&motion, dt / 2);
    accelerate(&motion);
    kick(&motion, dt);
    drift(&motion, dt / 2);
    return motion.status;
}

static const struct integrator integrator_dkd = {
    .name = "dkd",
    .doc = "drift-kick-drift leapfrog: second order, symplectic, time-reversible",
    .order = 2,
    .forces_per_step = 1,
    .step = dkd_step,
};

/* Three leapfrogs of OUTER, INNER and OUTER dt cancel the error of third order: OUTER =
 * 1 / (2 - 2^(1/3)), INNER = 1 - 2 OUTER (Yoshida 1990; Forest and Ruth 1990). */
static enum status yoshida4_step(struct solver *solver, double dt, double damping)
{
    static const double OUTER = 1.3512071919596576340476878089715,
                        INNER = -1.7024143839193152680953756179429;
    (void)damping;
    struct motion motion = {solver, STATUS_OK};
    kdk(&motion, OUTER * dt);
    kdk(&motion, INNER * dt);
    kdk(&motion, OUTER * dt);
    return motion.status;
}

static const struct integrator integrator_yoshida4 = {
    .name = "yoshida4",
    .doc = "three leapfrogs per step after Yoshida: fourth order, symplectic, time-reversible",
    .order = 4,
    .forces_per_step = 3,
    .traits = INTEGRATOR_ADAPTS,
    .step = yoshida4_step,
};

/* The order of the early GPU programs: v = (v + a dt) damping, then x += v dt. */
static enum status euler_step(struct solver *solver, double dt, double damping)
{
    struct motion motion = {solver, STATUS_OK};
    kick(&motion, dt);
    damp(&motion, damping);
    drift(&motion, dt);
    accelerate(&motion);
    return motion.status;
}

static const struct integrator integrator_euler = {
    .name = "euler",
    .doc = "semi-implicit Euler, with damping: first order, symplectic without damping",
    .order = 1,
    .forces_per_step = 1,
    .traits = INTEGRATOR_ADAPTS | INTEGRATOR_DAMPS,
    .step = euler_step,
};

static const struct integrator *const integrators[] = {&integrator_kdk, &integrator_dkd,
                                                       &integrator_yoshida4, &integrator_euler};
const struct registry integrator_registry = REGISTRY_LIST("integrator", integrators);

/* ---- equal steps ---- */

static enum status equal_advance(struct integration *integration, const struct frame_span *frame,
                                 volatile sig_atomic_t *stop)
{
    const uint64_t left = frame->first + frame->steps - integration->steps;
    const double damping = frame->dt == integration->dt
                               ? integration->damping
                               : fn_pow(integration->damping, frame->dt / integration->dt);
    uint64_t done;
    enum status status = solver_repeat(integration->solver, integration->integrator->step,
                                       frame->dt, damping, left, stop, &done);
    integration->steps += done;
    return status;
}

enum status integrator_refuse_state(const struct frame_span *frame, uint64_t steps)
{
    return status_fail(STATUS_USAGE,
                       "the saved state is at step %llu of frame %llu, which this simulation "
                       "never reaches",
                       (unsigned long long)steps, (unsigned long long)frame->number);
}

static enum status equal_load(struct integration *integration, const struct frame_span *frame,
                              uint64_t steps, const struct integrator_state *state)
{
    const uint64_t room = frame->steps > 0 ? frame->steps : 1;
    if (state->size > 0 || steps < frame->first || steps - frame->first >= room)
        return integrator_refuse_state(frame, steps);
    integration->steps = steps;
    return STATUS_OK;
}

const struct pacing pacing_equal = {.advance = equal_advance, .load = equal_load};

/* ---- checks ---- */

static enum status check_traits(const struct simulation_params *params)
{
    const struct integrator *integrator = params->integrator;
    if (params->adaptive > 0 && !(integrator->traits & INTEGRATOR_ADAPTS))
        return status_fail(STATUS_USAGE,
                           "simulation.adaptive needs the forces at the ends of a step, but the "
                           "integrator %s has them in its middle; choose kdk",
                           integrator->name);
    if (params->damping != 0 && params->damping != 1 && !(integrator->traits & INTEGRATOR_DAMPS))
        return status_fail(STATUS_USAGE,
                           "simulation.damping is %g, but the integrator %s does not damp; set it "
                           "to 1 or choose the integrator euler",
                           params->damping, integrator->name);
    return STATUS_OK;
}

static enum status check_double_steps(const struct simulation_params *params)
{
    if (!(params->double_steps >= 0))
        return status_fail(STATUS_USAGE, "simulation.double_steps is %g, but must be at least 0",
                           params->double_steps);
    if (params->double_steps > 0 && !(params->integrator->traits & INTEGRATOR_SPLITS))
        return status_fail(STATUS_USAGE,
                           "simulation.double_steps is %g, but the integrator %s makes equal steps "
                           "only; set it to 0 or choose the integrator kdk",
                           params->double_steps, params->integrator->name);
    return STATUS_OK;
}

enum status integrator_check(const struct simulation_params *params)
{
    if (!isfinite(params->dt) || params->dt == 0)
        return status_fail(STATUS_USAGE, "simulation.dt is %g, but must be a number other than 0",
                           params->dt);
    if (!(params->damping >= 0 && params->damping <= 1))
        return status_fail(STATUS_USAGE,
                           "simulation.damping is %g, but must be above 0 and at most 1",
                           params->damping);
    if (!(params->adaptive >= 0 && params->adaptive <= 1))
        return status_fail(STATUS_USAGE, "simulation.adaptive is %g, but must be from 0 to 1",
                           params->adaptive);
    enum status status = check_traits(params);
    if (status == STATUS_OK)
        status = check_double_steps(params);
    if (status == STATUS_OK && params->adaptive > 0 && params->subset > 1)
        return status_fail(STATUS_USAGE, "simulation.adaptive needs forces from all sources; set "
                                         "simulation.subset to 1 or simulation.adaptive to 0");
    return status;
}

bool integrator_keeps(const struct simulation_params *params)
{
    return params->adaptive > 0 && !params->played &&
           params->integrator->traits & INTEGRATOR_ADAPTS;
}

/* ---- integration ---- */

/* Whether this solver can give each body its own step. */
static bool blocks_possible(const struct solver *solver)
{
    return solver->ops->blocks && solver->force->path->partial;
}

/* Adaptive steps, for each body if that is possible; logs if the force could on another backend. */
static const struct pacing *choose_adaptive(const struct integrator *integrator,
                                            const struct solver *solver)
{
    const struct force_ops *force = solver->force->ops;
    bool elsewhere = false;
    if (!(integrator->traits & INTEGRATOR_SPLITS))
        return &pacing_adaptive;
    if (blocks_possible(solver))
        return &pacing_blocks;
    for (const struct force_path *const *path = force->paths; *path; path++)
        elsewhere |= (*path)->partial;
    if (elsewhere)
        log_info("the force %s has no steps per body on %s: all bodies share each adaptive step",
                 force->name, solver->ops->name);
    return &pacing_adaptive;
}

/* Whether some of the bodies, but not all, are of that softening. */
static bool has_both(const struct bodies *bodies, double usual, double softening)
{
    double least, most;
    softening_range(bodies, usual, &least, &most);
    return least < softening && most >= softening;
}

static const struct pacing *choose(const struct simulation_params *params,
                                   const struct solver *solver, const struct bodies *bodies)
{
    if (params->run) /* has the times of its frames */
        return &pacing_equal;
    if (integrator_keeps(params))
        return choose_adaptive(params->integrator, solver);
    if (!(params->double_steps > 0) || params->played)
        return &pacing_equal;
    if (blocks_possible(solver) && params->long_steps > 0) {
        if (solver->ops->blocks->apart)
            return has_both(bodies, params->softening, params->double_steps) ? &pacing_split
                                                                             : &pacing_doubled;
        log_info("simulation.long_steps works on the CPU alone, and this run uses %s, so only "
                 "simulation.double_steps is used",
                 solver->ops->name);
    }
    if (blocks_possible(solver))
        return &pacing_doubled;
    const bool both = params->long_steps > 0;
    if (!solver->force->path->partial)
        log_info("simulation.double_steps%s the force tree, and this run uses %s, so %s not used; "
                 "set simulation.force=tree",
                 both ? " and long_steps need" : " needs", solver->force->ops->name,
                 both ? "they are" : "it is");
    else
        log_info("simulation.double_steps%s not used: %s has one step for all bodies",
                 both ? " and long_steps are" : " is", solver->ops->name);
    return &pacing_equal;
}

struct integration *integration_open(const struct simulation_params *params, struct solver *solver,
                                     const struct bodies *bodies, double softening)
{
    struct integration *integration = memory_new(1, sizeof *integration);
    *integration = (struct integration){
        .integrator = params->integrator,
        .pacing = choose(params, solver, bodies),
        .solver = solver,
        .dt = params->dt,
        .damping = params->damping > 0 ? params->damping : 1,
        .bodies = bodies,
        .usual_softening = params->softening,
        .doubled_from = params->double_steps,
        .long_steps = params->long_steps,
        .adaptive = {.eta = integrator_keeps(params) ? params->adaptive : 0,
                     .softening = softening,
                     .pace = params->pace ? params->pace : "simulation.steps_per_frame"},
    };
    return integration;
}

void integration_close(struct integration **integration)
{
    free(*integration);
    *integration = NULL;
}

enum status integration_save(const struct integration *integration, struct integrator_state *out)
{
    free(out->bytes);
    *out = (struct integrator_state){0};
    const struct pacing *pacing = integration->pacing;
    return pacing->save ? pacing->save(integration, out) : STATUS_OK;
}

const uint64_t *integration_rungs(const struct integration *integration)
{
    return integration->pacing == &pacing_blocks ? integration->made : NULL;
}

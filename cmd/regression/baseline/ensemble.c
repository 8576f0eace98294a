#include "cmd/regression/baseline/ensemble.h"

#include "base/memory.h"
#include "base/random.h"
#include "cmd/film/open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The energy of all pairs is expensive to compute, so it is measured only at some frames. The other
 * frames use the value of the next measured frame, which is further from the start. */
enum { MEASURED_MOST = 12 };

void ensemble_create(struct ensemble *out, uint32_t members, uint64_t count)
{
    *out = (struct ensemble){members,
                             0,
                             count,
                             memory_new(count, sizeof(double)),
                             memory_new(count, sizeof(double)),
                             memory_new(count, sizeof(double))};
}

void ensemble_free(struct ensemble *ensemble)
{
    free(ensemble->distance);
    free(ensemble->energy);
    free(ensemble->half_mass);
    *ensemble = (struct ensemble){0};
}

/* Returns a random number in -1 .. 1. */
static double noise(uint64_t *state)
{
    return (double)(splitmix64(*state += SPLITMIX_STEP) >> 11) * 0x1p-52 - 1;
}

/* A force in single precision rounds 1e-14 away; it needs a perturbation of the size of its own
 * rounding. */
static double perturbation(const struct film *film)
{
    const struct solver *solver = simulation_solver(film->simulations[0]);
    return solver->force->ops->number == sizeof(float) ? 1e-7 : 1e-14;
}

static void perturb(struct bodies *bodies, uint32_t member, double relative)
{
    uint64_t state = (uint64_t)member << 32;
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] *= 1 + relative * noise(&state);
}

/* One run; arrays of [count]. */
struct member {
    double *energy, *half_mass;
    char last[HASH_TEXT];
};

struct making {
    struct ensemble *out;
    const struct scene *scene;
    const char *backend;
    int device;
    const struct record *record;
    volatile sig_atomic_t *stop;
    struct bodies *bodies; /* at frame 0, unperturbed */
    struct member *members;
};

static bool is_measured(const struct making *making, uint64_t f)
{
    const uint64_t count = making->record->count;
    const uint64_t every = (count + MEASURED_MOST - 1) / MEASURED_MOST;
    return f + 1 == count || f % every == 0;
}

static enum status measure(struct making *making, struct member *member, struct film *film,
                           uint64_t f)
{
    struct simulation *simulation = film->simulations[0];
    const struct record *record = making->record;
    struct frame_record here;
    struct diagnostics diagnostics;
    double *distance = &making->out->distance[f];
    enum status status = simulation_save(simulation, film->bodies);
    if (status != STATUS_OK)
        return status;
    frame_record_clear(&here, record->frames[f].frame);
    record_sketch((const double(*)[3])film->bodies->position, film->bodies->count, here.sketch);
    *distance = fmax(*distance, record_distance(record, &record->frames[f], &here));
    if (!is_measured(making, f))
        return STATUS_OK;
    status = diagnostics_half_mass_all(film->bodies, &member->half_mass[f]);
    if (status == STATUS_OK)
        status = simulation_diagnose(simulation, &diagnostics);
    if (status == STATUS_OK)
        member->energy[f] = diagnostics.energy;
    return status;
}

static void hash_last(const struct film *film, char out[HASH_TEXT])
{
    const struct bodies *bodies = film->bodies;
    hash_parts((struct hash_part[]){{bodies->position, bodies->count * sizeof *bodies->position},
                                    {bodies->velocity, bodies->count * sizeof *bodies->velocity}},
               2, out);
}

static enum status run(struct making *making, struct member *member, struct film *film)
{
    const struct record *record = making->record;
    enum status status = STATUS_OK;
    for (uint64_t f = 0; f < record->count && status == STATUS_OK; f++) {
        status = simulation_advance(film->simulations[0], record->frames[f].frame, making->stop);
        if (status == STATUS_OK)
            status = measure(making, member, film, f);
    }
    hash_last(film, member->last);
    return status;
}

/* Runs one member; member 0 is the unperturbed film. */
static enum status run_member(struct making *making, uint32_t m)
{
    struct film film = {0};
    struct bodies *bodies = NULL;
    struct member *member = &making->members[m];
    const uint64_t count = making->record->count;
    member->energy = memory_new(count, sizeof(double));
    member->half_mass = memory_new(count, sizeof(double));
    enum status status = bodies_copy(&bodies, making->bodies);
    if (status != STATUS_OK)
        return status;
    if (m > 0)
        perturb(bodies, m, making->out->perturbation);
    status = film_open_physics(&film, making->scene, making->backend, making->device, bodies);
    if (status != STATUS_OK)
        return status;
    status = run(making, member, &film);
    film_close(&film);
    return status;
}

/* ---- the envelope of all members ---- */

static enum status check_members(const struct making *making)
{
    const struct member *members = making->members;
    for (uint32_t a = 0; a <= making->out->members; a++)
        for (uint32_t b = a + 1; b <= making->out->members; b++)
            if (strcmp(members[a].last, members[b].last) == 0)
                return status_fail(STATUS_MISMATCH,
                                   "the members of the ensemble are equal at the last frame (%u "
                                   "and %u of 0 to %u): moving the bodies by %g has changed "
                                   "nothing, so there is no envelope to measure; record without "
                                   "--ensemble",
                                   a, b, making->out->members, making->out->perturbation);
    return STATUS_OK;
}

/* Returns the standard deviation of the members about the film's own value, relative to that
 * value. */
static double spread(const struct making *making, uint64_t f, bool energy)
{
    double squares = 0, own = 0;
    for (uint32_t m = 0; m <= making->out->members; m++) {
        const struct member *member = &making->members[m];
        const double value = energy ? member->energy[f] : member->half_mass[f];
        if (m == 0)
            own = value;
        squares += (value - own) * (value - own);
    }
    return own != 0 ? sqrt(squares / making->out->members) / fabs(own) : 0;
}

static void conclude(struct making *making)
{
    struct ensemble *out = making->out;
    for (uint64_t f = out->count; f-- > 0;) {
        const bool measured = is_measured(making, f);
        out->energy[f] = measured ? spread(making, f, true) : out->energy[f + 1];
        out->half_mass[f] = measured ? spread(making, f, false) : out->half_mass[f + 1];
    }
}

enum status ensemble_make(struct ensemble *out, uint32_t members, const struct scene *scene,
                          const char *backend, int device, const struct record *record,
                          volatile sig_atomic_t *stop)
{
    struct making making = {.out = out,
                            .scene = scene,
                            .backend = backend,
                            .device = device,
                            .record = record,
                            .stop = stop,
                            .members = memory_new(members + 1, sizeof(struct member))};
    struct film film = {0};
    ensemble_create(out, members, record->count);
    enum status status = film_open_physics(&film, scene, backend, device, NULL);
    if (status == STATUS_OK)
        status = bodies_copy(&making.bodies, film.bodies);
    if (status == STATUS_OK)
        out->perturbation = perturbation(&film);
    film_close(&film);
    for (uint32_t m = 0; m <= members && status == STATUS_OK; m++)
        status = run_member(&making, m);
    if (status == STATUS_OK)
        status = check_members(&making);
    if (status == STATUS_OK)
        conclude(&making);
    for (uint32_t m = 0; m <= members; m++) {
        free(making.members[m].energy);
        free(making.members[m].half_mass);
    }
    free(making.members);
    bodies_destroy(&making.bodies);
    return status;
}

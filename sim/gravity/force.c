#include "sim/gravity/force.h"

#include "base/memory.h"
#include "sim/params.h"

#include <stdlib.h>
#include <string.h>

static const struct force_ops *const forces[] = {&force_fast,   &force_exact, &force_double,
                                                 &force_tensor, &force_tree,  &force_tree_exact,
                                                 &force_auto};

const struct registry force_registry = REGISTRY_LIST("force", forces);

const struct force_path *force_path_of(const struct force_ops *ops, const char *backend)
{
    for (const struct force_path *const *path = ops->paths; path && *path; path++)
        if (strcmp((*path)->backend, backend) == 0)
            return *path;
    return NULL;
}

bool force_runs(const struct force_ops *ops, const char *backend, int device)
{
    const struct force_path *path = force_path_of(ops, backend);
    return path && (!path->runs || path->runs(device));
}

enum status force_open(const struct force_ops *ops, const struct force_path *path,
                       const struct force_request *request, struct force **out)
{
    struct force *force = memory_new(1, path->size);
    force->ops = ops;
    force->path = path;
    enum status status = path->open(force, request);
    if (status != STATUS_OK)
        force_close(&force);
    *out = force;
    return status;
}

void force_close(struct force **force)
{
    if (!*force)
        return;
    if ((*force)->path->close)
        (*force)->path->close(*force);
    free(*force);
    *force = NULL;
}

const char *softening_words(bool spline, bool mixed)
{
    return spline ? ", spline softening" : mixed ? ", softening by component" : "";
}

size_t softening_run(const struct bodies *bodies, double fallback, size_t from, double *softening)
{
    size_t end = bodies->count;
    *softening = fallback;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        size_t first = component->first, behind = first + component->count;
        if (first <= from && from < behind) {
            if (component->softening != 0)
                *softening = component->softening;
            return behind < bodies->count ? behind : bodies->count;
        }
        if (from < first && first < end)
            end = first;
    }
    return end;
}

static void widen(double softening, bool *any, double *least, double *most)
{
    *least = !*any || softening < *least ? softening : *least;
    *most = !*any || softening > *most ? softening : *most;
    *any = true;
}

void softening_range(const struct bodies *bodies, double fallback, double *least, double *most)
{
    double softening;
    bool any = false;
    *least = *most = fallback;
    for (size_t c = 0; bodies->shared && c < bodies->component_count; c++) {
        softening = bodies->components[c].softening;
        if (component_whole(&bodies->components[c]) > 0)
            widen(softening != 0 ? softening : fallback, &any, least, most);
    }
    for (size_t i = 0, end; !bodies->shared && i < bodies->count; i = end) {
        end = softening_run(bodies, fallback, i, &softening);
        widen(softening, &any, least, most);
    }
}

void softening_halves(const struct bodies *bodies, double fallback, size_t padded, size_t number,
                      void *halves)
{
    double softening, first = 0;
    for (size_t i = 0, end; i < padded; i = end) {
        end = i < bodies->count ? softening_run(bodies, fallback, i, &softening) : padded;
        double value = i < bodies->count ? softening * softening / 2 : first;
        first = i == 0 ? value : first;
        for (size_t k = i; k < end; k++)
            if (number == sizeof(double))
                ((double *)halves)[k] = value;
            else
                ((float *)halves)[k] = (float)value;
    }
}

const struct softening_kernel softening_plummer = {
    .name = "plummer",
    .doc = "a body is a Plummer sphere: r^2 becomes r^2 + eps^2, and no distance is exempt",
};

const struct softening_kernel softening_spline = {
    .name = "spline",
    .doc = "a body is a cubic spline of density, as in GADGET: exactly Newtonian beyond 2.8 eps",
};

static const struct softening_kernel *const kernels[] = {&softening_plummer, &softening_spline};

const struct registry softening_kernel_registry = REGISTRY_LIST("softening kernel", kernels);

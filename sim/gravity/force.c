#include "sim/gravity/force.h"
#include "base/memory.h"
#include "sim/params.h"

#include <stdlib.h>
#include <string.h>

extern const struct force_ops force_fast, force_exact, force_double, force_tensor, force_tree,
    force_tree_exact, force_auto;

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

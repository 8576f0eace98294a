#include "cmd/snapshots/write.h"

#include "base/log.h"
#include "sim/formats/units.h"

#include <stdlib.h>

enum status snapshot_write(const struct snapshot_names *names, uint64_t number,
                           const struct scene *scene, struct simulation *simulation, double time)
{
    const struct bodies *bodies;
    enum status status = simulation_bodies(simulation, &bodies);
    if (status != STATUS_OK)
        return status;
    struct bodies shown = *bodies; /* read only, see format.h */
    const struct snapshot snapshot = {
        .bodies = &shown,
        .time = time,
        .time_known = true,
        .units = units_of_scene(&scene->bodies.units),
        .format = names->format,
    };
    char *path = snapshot_names_of(names, number);
    status = names->format->write(path, &snapshot);
    free(path);
    return status;
}

void snapshot_warn_lost(const struct snapshot_names *names)
{
    if (!(names->format->keeps & KEEPS_TIME))
        log_warning("files of the format %s do not say at which time they are, so that no film can "
                    "be made of them with --snapshots",
                    names->format->name);
}

#include "cmd/stills/snapshot.h"

#include "base/file.h"
#include "base/log.h"
#include "sim/views.h"

#include <stdio.h>
#include <string.h>

enum status snapshot_target(const struct render_options *options, const char *example)
{
    const char *output = options->output;
    if (!output)
        return status_fail(STATUS_USAGE,
                           "where the picture goes is wanted, and no -o was given; "
                           "for example -o %s",
                           example);
    if (strcmp(file_extension(output), "png") != 0)
        return status_fail(STATUS_USAGE,
                           "the picture is a PNG, but '%s' does not end in .png; for example -o %s",
                           output, example);
    if (options->scene && file_same(output, options->scene))
        return status_fail(STATUS_USAGE, "'%s' is itself what is to be shown; choose another -o",
                           output);
    if (!options->overwrite && file_exists(output))
        return status_fail(STATUS_USAGE,
                           "'%s' exists already; replace it with -y or choose another -o", output);
    return STATUS_OK;
}

enum status snapshot_open(struct snapshot *snapshot, const struct scene *scene,
                          const struct render_options *options, enum picture_format format,
                          const struct film_tile *tile)
{
    *snapshot = (struct snapshot){0};
    enum status status = options->bodies_from ? STATUS_OK : film_find_bodies(scene, options->scene);
    if (status == STATUS_OK)
        status = film_open_tiled(&snapshot->film, scene, options->backend, options->device, format,
                                 tile);
    if (status != STATUS_OK)
        return status;
    struct film *film = &snapshot->film;
    status = views_create(film->simulations, film->simulation_count, &snapshot->view);
    if (status == STATUS_OK)
        status = renderer_bind(film->renderer);
    snapshot->bound = status == STATUS_OK;
    if (status == STATUS_OK)
        status = renderer_picture_create(film->renderer, &snapshot->picture);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, snapshot->view);
    if (status == STATUS_OK)
        status = renderer_meter(film->renderer, snapshot->view);
    return status;
}

void snapshot_close(struct snapshot *snapshot)
{
    if (snapshot->picture)
        renderer_picture_destroy(snapshot->film.renderer, &snapshot->picture);
    if (snapshot->bound)
        renderer_unbind(snapshot->film.renderer);
    views_destroy(snapshot->film.simulations, &snapshot->view);
    film_close(&snapshot->film);
    *snapshot = (struct snapshot){0};
}

/* Frame by frame, so that who waits sees how far it is. */
static enum status advance(struct snapshot *snapshot, uint64_t frame)
{
    struct film *film = &snapshot->film;
    enum status status = STATUS_OK;
    bool shown = log_is_terminal() && log_get_level() >= LOG_INFO;
    for (uint64_t f = simulation_frame(film->simulations[0]); status == STATUS_OK && f < frame;
         f++) {
        char line[64];
        snprintf(line, sizeof line, "simulating frame %llu of %llu", (unsigned long long)f + 1,
                 (unsigned long long)frame);
        if (shown)
            log_set_line(line);
        for (int i = 0; status == STATUS_OK && i < film->simulation_count; i++)
            status = simulation_advance(film->simulations[i], f + 1, NULL);
        if (status == STATUS_OK && renderer_meters_every_frame(film->renderer))
            status = views_fill(film->simulations, snapshot->view);
        if (status == STATUS_OK && f + 1 < frame)
            status = renderer_observe(film->renderer, snapshot->view);
    }
    if (shown)
        log_set_line("");
    return status;
}

enum status snapshot_take(struct snapshot *snapshot, uint64_t frame, const struct picture **picture)
{
    struct film *film = &snapshot->film;
    enum status status = advance(snapshot, frame);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, snapshot->view);
    if (status == STATUS_OK)
        status = renderer_submit(film->renderer, snapshot->view, snapshot->picture);
    if (status == STATUS_OK)
        status = renderer_wait(film->renderer);
    *picture = snapshot->picture;
    return status;
}

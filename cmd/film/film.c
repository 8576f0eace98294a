#include "cmd/film/film.h"

#include "base/file.h"
#include "base/log.h"
#include "cmd/film/camera.h"
#include "cmd/film/sources.h"
#include "cmd/film/scales.h"
#include "sim/models/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status open_renderer(struct film *film, const struct film_sources *sources,
                                 const struct film_tile *tile, enum picture_format format,
                                 int cuda_device)
{
    const struct scene *scene = film->scene;
    struct film_groups groups;
    struct renderer_params params = {
        .width = scene->output.width,
        .height = scene->output.height,
        .format = format,
        .camera = scene->camera,
        .look = scene->look,
        .overlay = scene->overlay,
        .labels = {.title = scene->output.title,
                   .length_kpc = scene->units.length_kpc,
                   .time_myr = scene->units.time_myr,
                   .velocity_kms = scene->units.velocity_kms,
                   .fps = (double)scene->output.fps_num / scene->output.fps_den},
        .count = film->bodies->count,
        .sources = sources->count,
        .frames = scene->output.frames,
        .cuda_device = cuda_device,
    };
    enum status status = script_direct(&film->script, &params);
    if (status == STATUS_OK)
        status = film_camera_parts(&params, scene, film->bodies);
    if (status == STATUS_OK)
        status = film_camera_place(&params, scene, film->bodies);
    if (tile) {
        params.whole_width = params.width;
        params.whole_height = params.height;
        params.width = tile->width;
        params.height = tile->height;
    }
    if (status == STATUS_OK)
        status = film_groups_make(&groups, scene, film->bodies);
    if (status != STATUS_OK) {
        film_camera_free(&params);
        return status;
    }
    params.groups = groups.list[0];
    params.group_count = groups.count;
    for (int i = 0; i < film_picture_count(scene); i++) {
        params.panel_groups[i] = groups.list[i];
        params.panel_source[i] = sources->panel[i];
    }
    if (params.group_count == 0)
        log_warning("no component of the bodies is drawn, so the film will be black; see "
                    "bodies.use and the "
                    "components' `draw`");
    status = film_scales(film, &params);
    if (status == STATUS_OK)
        status = renderer_open(&film->renderer, &params);
    film_groups_free(&groups);
    film_camera_free(&params);
    return status;
}

enum status film_find_bodies(const struct scene *scene, const char *name)
{
    const char *file = scene->bodies.file, *folders = getenv("GRAVREEL_DATA");
    if (strcmp(scene->bodies.model, "file") != 0 || !*file || *file == '/' || file_exists(file))
        return STATUS_OK;
    char advice[256] = "put it there";
    for (const struct scene_builtin *builtin = scene_builtins; builtin->name; builtin++)
        if (strcmp(builtin->name, name) == 0)
            snprintf(advice, sizeof advice, "`gravreel scenes %s` says where it comes from", name);
    return status_fail(STATUS_IO,
                       "the bodies file '%s' is neither beside the scene nor in the current folder "
                       "nor in a folder of $GRAVREEL_DATA (%s); %s, or name a file with "
                       "--bodies-from",
                       file, folders && *folders ? folders : "not set", advice);
}

static enum status open_simulations(struct film *film, const struct film_sources *sources,
                                    const char *backend, int device)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < sources->count && status == STATUS_OK; i++) {
        status = simulation_open(&film->simulations[i], &sources->params[i], backend, device,
                                 film->bodies);
        if (status != STATUS_OK)
            break;
        film->simulation_count++;
        if (film->script.clock.slow_count > 0)
            simulation_set_clock(film->simulations[i], &film->script.clock);
        if (status == STATUS_OK && film_follows(film->scene))
            simulation_sample_views(film->simulations[i]);
    }
    if (status == STATUS_OK && film->scene->overlay.energy)
        status = simulation_record_energy(film->simulations[0], film->scene->output.frames);
    return status;
}

enum status film_open_tiled(struct film *film, const struct scene *scene, const char *backend,
                            int device, enum picture_format format, const struct film_tile *tile)
{
    struct film_sources sources;
    *film = (struct film){.scene = scene};
    film_sources(scene, &sources);
    enum status status = bodies_make(&scene->bodies, &film->bodies);
    if (status == STATUS_OK)
        status = script_open(&film->script,
                             &(struct script_source){scene, film->bodies, backend, device});
    if (status == STATUS_OK)
        status = open_simulations(film, &sources, backend, device);
    if (status == STATUS_OK) {
        bool on_cuda = simulation_solver(film->simulations[0])->ops == &solver_cuda;
        status = open_renderer(film, &sources, tile, format, on_cuda ? device : -1);
    }
    if (status != STATUS_OK)
        film_close(film);
    return status;
}

enum status film_open(struct film *film, const struct scene *scene, const char *backend, int device,
                      enum picture_format format)
{
    return film_open_tiled(film, scene, backend, device, format, NULL);
}

void film_close(struct film *film)
{
    renderer_close(&film->renderer);
    for (int i = 0; i < PANELS_MAX; i++)
        simulation_close(&film->simulations[i]);
    film->simulation_count = 0;
    script_close(&film->script);
    bodies_destroy(&film->bodies);
}

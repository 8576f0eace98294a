#include "cmd/bench/pipe.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static enum status write_rgb24(FILE *pipe, const struct picture *picture, uint8_t *row)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint8_t *from = picture->data + (size_t)y * layout->plane[0].stride;
        for (uint32_t x = 0; x < layout->width; x++)
            for (int c = 0; c < 3; c++)
                row[3 * x + c] = from[4 * x + c];
        if (fwrite(row, 3, layout->width, pipe) != layout->width)
            return status_fail(STATUS_IO, "the ffmpeg program accepts no more pictures");
    }
    return STATUS_OK;
}

static enum status pipe_frames(struct film *film, FILE *pipe, uint64_t frames, uint8_t *row,
                               struct view *view, struct picture *picture)
{
    enum status status = STATUS_OK;
    const uint64_t first = simulation_frame(film->simulations[0]);
    for (uint64_t f = first; f < first + frames && status == STATUS_OK; f++) {
        status = simulation_advance(film->simulations[0], f, NULL);
        if (status == STATUS_OK)
            status = simulation_view_fill(film->simulations[0], view);
        if (status == STATUS_OK && f == first)
            status = renderer_meter(film->renderer, view);
        if (status == STATUS_OK)
            status = renderer_submit(film->renderer, view, picture);
        if (status == STATUS_OK)
            status = renderer_wait(film->renderer);
        if (status == STATUS_OK)
            status = write_rgb24(pipe, picture, row);
    }
    return status;
}

static enum status run(struct film *film, FILE *pipe, uint64_t frames)
{
    const struct output_params *output = &film->scene->output;
    struct view *view = NULL;
    struct picture *picture = NULL;
    uint8_t *row = malloc((size_t)output->size.width * 3);
    enum status status = row ? renderer_bind(film->renderer)
                             : status_fail(STATUS_RUNTIME, "no memory for a row of pixels");
    if (status != STATUS_OK) {
        free(row);
        return status;
    }
    status = simulation_view_create(film->simulations[0], &view);
    if (status == STATUS_OK)
        status = renderer_picture_create(film->renderer, &picture);
    if (status == STATUS_OK)
        status = pipe_frames(film, pipe, frames, row, view, picture);
    renderer_picture_destroy(film->renderer, &picture);
    simulation_view_destroy(film->simulations[0], &view);
    renderer_unbind(film->renderer);
    free(row);
    return status;
}

enum status bench_pipe(struct film *film, const char *preset, const char *folder, uint64_t frames,
                       double *rate)
{
    const struct output_params *output = &film->scene->output;
    char command[768], path[320];
    if (system("ffmpeg -version >/dev/null 2>&1") != 0)
        return status_fail(STATUS_DEVICE, "there is no ffmpeg program; install ffmpeg to compare");
    snprintf(path, sizeof path, "%s/pipe.mp4", folder);
    snprintf(command, sizeof command,
             "ffmpeg -v error -y -f rawvideo -pix_fmt rgb24 -s %ux%u -r 30 -i - -c:v libx264 "
             "-preset %s -crf 23 -mbtree 0 -aq-mode 3 -aq-strength 1.5 -refs 1 "
             "-pix_fmt yuv420p '%s' >/dev/null 2>&1",
             output->size.width, output->size.height, preset, path);
    double since = clock_seconds();
    FILE *pipe = popen(command, "w");
    if (!pipe)
        return status_fail(STATUS_RUNTIME, "the ffmpeg program cannot be started");
    enum status status = run(film, pipe, frames);
    if (pclose(pipe) != 0 && status == STATUS_OK)
        status = status_fail(STATUS_RUNTIME, "the ffmpeg program failed");
    *rate = (double)frames / (clock_seconds() - since);
    unlink(path);
    return status;
}

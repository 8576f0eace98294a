#include "cmd/regression/controls/run.h"

#include "base/memory.h"
#include "cmd/regression/controls/canvas.h"

#include <stdlib.h>
#include <string.h>

void control_run_open(struct control_run *run, const struct control *control, uint64_t frames)
{
    *run = (struct control_run){
        .control = control, .size = control->size, .first = frames / 3, .frames = frames};
}

static void free_reel(struct control_run *run)
{
    for (uint64_t f = 0; run->reel && f < run->frames; f++)
        free(run->reel[f].data);
    free(run->reel);
}

void control_run_close(struct control_run *run)
{
    free_reel(run);
    for (size_t i = 0; i < run->kept_count; i++)
        free(run->kept[i]);
    free(run->kept);
    *run = (struct control_run){0};
}

void *control_run_keep(struct control_run *run, size_t size)
{
    run->kept = memory_grow(run->kept, run->kept_count + 1, sizeof *run->kept);
    return run->kept[run->kept_count++] = memory_new(1, size);
}

static enum status keep_picture(void *user, struct picture *picture)
{
    struct control_run *run = user;
    if (picture->frame >= run->frames)
        return STATUS_OK;
    if (!run->reel)
        run->reel = memory_new(run->frames, sizeof *run->reel);
    struct picture *copy = &run->reel[picture->frame];
    free(copy->data);
    *copy = *picture;
    copy->data = malloc(picture->layout.size);
    if (!copy->data)
        return status_fail(STATUS_RUNTIME, "no memory for a copy of a picture: %zu bytes",
                           picture->layout.size);
    memcpy(copy->data, picture->data, picture->layout.size);
    return STATUS_OK;
}

struct record_hooks control_reel_hooks(struct control_run *run)
{
    return (struct record_hooks){.user = run, .picture = keep_picture};
}

static void reorder(struct control_run *run, struct picture *picture)
{
    const uint64_t from = run->control->order(run, picture->frame, run->frames);
    if (from == picture->frame || from >= run->frames || !run->reel || !run->reel[from].data)
        return;
    memcpy(picture->data, run->reel[from].data, picture->layout.size);
    run->changed++;
}

static enum status paint(struct control_run *run, struct picture *picture)
{
    struct canvas canvas;
    enum status status = canvas_open(&canvas, picture);
    if (status == STATUS_OK && run->control->paint(run, &canvas)) {
        canvas_write(&canvas, picture);
        run->changed++;
    }
    canvas_close(&canvas);
    return status;
}

static enum status change_picture(struct control_run *run, struct picture *picture)
{
    const struct control *control = run->control;
    if (picture->frame < run->first)
        return STATUS_OK;
    if (control->order)
        reorder(run, picture);
    if (control->planes) {
        control->planes(run, picture);
        run->changed++;
    }
    return control->paint ? paint(run, picture) : STATUS_OK;
}

static void on_scene(void *user, struct scene *scene)
{
    struct control_run *run = user;
    if (run->control->scene)
        run->control->scene(run, scene);
}

static void on_sink(void *user, struct sink_params *params)
{
    struct control_run *run = user;
    if (!run->control->sink)
        return;
    run->control->sink(run, params);
    run->changed++;
}

static enum status on_drawing(void *user, struct renderer *renderer, struct view *view)
{
    struct control_run *run = user;
    if (run->control->draw)
        run->control->draw(run, renderer, view);
    return STATUS_OK;
}

static enum status on_picture(void *user, struct picture *picture)
{
    struct control_run *run = user;
    return run->control->behind ? STATUS_OK : change_picture(run, picture);
}

static enum status on_encoding(void *user, struct picture *picture)
{
    struct control_run *run = user;
    return run->control->behind ? change_picture(run, picture) : STATUS_OK;
}

static enum status on_file(void *user, const char *path)
{
    struct control_run *run = user;
    if (!run->control->file)
        return STATUS_OK;
    run->changed++;
    return run->control->file(run, path);
}

struct record_hooks control_hooks(struct control_run *run)
{
    return (struct record_hooks){.user = run,
                                 .scene = on_scene,
                                 .sink = on_sink,
                                 .drawing = on_drawing,
                                 .picture = on_picture,
                                 .encoding = on_encoding,
                                 .file = on_file};
}

bool control_has_acted(const struct control_run *run)
{
    return run->changed > 0;
}

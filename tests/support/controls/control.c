#include "tests/support/controls/control.h"

#include "base/memory.h"
#include "tests/support/controls/canvas.h"

#include <stdlib.h>
#include <string.h>

void control_run_open(struct control_run *run, const struct control *control, uint64_t frames)
{
    *run = (struct control_run){
        .control = control, .size = control->size, .first = frames / 3, .frames = frames};
}

void control_run_close(struct control_run *run)
{
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

void control_replace(struct control_run *run, struct picture *picture, uint64_t from)
{
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

static enum status change_picture(void *user, struct picture *picture)
{
    struct control_run *run = user;
    const struct control *control = run->control;
    if (picture->frame < run->first)
        return STATUS_OK;
    if (control->order)
        control_replace(run, picture, control->order(run, picture->frame, run->frames));
    return control->paint ? paint(run, picture) : STATUS_OK;
}

struct record_hooks control_hooks(struct control_run *run)
{
    struct record_hooks hooks = run->control->hooks;
    hooks.user = run;
    if (run->control->paint || run->control->order)
        hooks.picture = change_picture;
    return hooks;
}

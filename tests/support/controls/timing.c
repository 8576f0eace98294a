#include "tests/support/controls/all.h"

static uint64_t one_twice(const struct control_run *run, uint64_t frame, uint64_t frames)
{
    (void)frames;
    return frame == run->first && frame > 0 ? frame - 1 : frame;
}

static uint64_t two_swapped(const struct control_run *run, uint64_t frame, uint64_t frames)
{
    if (run->first + 1 >= frames)
        return frame;
    return frame == run->first ? frame + 1 : frame == run->first + 1 ? frame - 1 : frame;
}

static uint64_t all_late(const struct control_run *run, uint64_t frame, uint64_t frames)
{
    (void)frames;
    return frame > run->first ? frame - 1 : frame;
}

static enum status late_from_here(void *user, struct picture *picture)
{
    struct control_run *run = user;
    if (picture->frame >= run->first && picture->frame > 0)
        control_replace(run, picture, picture->frame - 1);
    return STATUS_OK;
}

static const char *too_short(const struct scene *scene)
{
    return scene->output.frames >= 6 ? NULL : "it has fewer than 6 frames";
}

const struct control control_repeated = {
    .name = "repeated",
    .doc = "a frame is shown in the place of the next one",
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = one_twice,
};

const struct control control_swapped_frames = {
    .name = "swapped",
    .doc = "two frames are in each other's place",
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = two_swapped,
};

const struct control control_late = {
    .name = "late",
    .doc = "the film is one frame late",
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = all_late,
};

const struct control control_twice_at_join = {
    .name = "twice_at_join",
    .doc =
        "the encoder is given a frame twice, as the end of one segment and the start of the next",
    .stage = JUDGED_PACKETS,
    .why_not = too_short,
    .hooks.encoding = late_from_here,
};

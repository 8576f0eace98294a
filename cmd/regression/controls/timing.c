/* The controls of frames in their order and of their times. */
#include "cmd/regression/controls/control.h"
#include "cmd/regression/controls/run.h"

/* The film keeps its number of frames: the last one stands in for what is lost. */
static uint64_t without_one(const struct control_run *run, uint64_t frame, uint64_t frames)
{
    return frame >= run->first && frame + 1 < frames ? frame + 1 : frame;
}

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

static uint64_t late_from_here(const struct control_run *run, uint64_t frame, uint64_t frames)
{
    (void)frames;
    return frame >= run->first && frame > 0 ? frame - 1 : frame;
}

static const char *too_short(const struct scene *scene)
{
    return scene->output.frames >= 6 ? NULL : "it has fewer than 6 frames";
}

const struct control control_dropped = {
    .name = "dropped",
    .doc = "a frame is missing, and the following ones are early",
    .kind = CONTROL_TIME,
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = without_one,
};

const struct control control_repeated = {
    .name = "repeated",
    .doc = "a frame is shown in the place of the next one",
    .kind = CONTROL_TIME,
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = one_twice,
};

const struct control control_swapped_frames = {
    .name = "swapped",
    .doc = "two frames are in each other's place",
    .kind = CONTROL_TIME,
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = two_swapped,
};

const struct control control_late = {
    .name = "late",
    .doc = "the film is one frame late",
    .kind = CONTROL_TIME,
    .stage = JUDGED_PICTURE,
    .why_not = too_short,
    .order = all_late,
};

const struct control control_twice_at_join = {
    .name = "twice_at_join",
    .doc =
        "the encoder is given a frame twice, as the end of one segment and the start of the next",
    .kind = CONTROL_TIME,
    .stage = JUDGED_PACKETS,
    .why_not = too_short,
    .order = late_from_here,
    .behind = true,
};

/* Shows frames of two sides, A and B: single frames with their difference and marks, a clip, and a
 * film of differences. A side is anything that can give a picture of a frame: a film, a sequence,
 * stored or redrawn pictures. Used by one thread at a time. */
#pragma once

#include "cmd/regression/judge/picture_judge.h"
#include "cmd/regression/judge/report.h"

#include <signal.h>

enum {
    EXHIBIT_GAIN = 4,                   /* of the difference in its picture */
    EXHIBIT_MOST = PICTURE_CHOICES_MAX, /* frames of a case */
    CLIP_FRAMES_MAX = 48,
    CLIP_LEAD_IN = 8,
    CLIP_BYTES_MAX = 1490000 /* in base64, 2 MB, which is the room for a clip in a page */
};

struct exhibit_side {
    uint32_t width, height;
    /* Gets the pixels of a frame in the form of render/reader, rgb[height][width][3]. */
    enum status (*picture)(void *user, int64_t frame, uint16_t *rgb);
    void *user;
};

struct exhibit_frame {
    struct frame_pair pair;
    double worst;    /* see struct shown_frame; 0: nothing is wrong, so no marks */
    const char *why; /* see struct shown_frame */
};

struct exhibit {
    const char *folder; /* made if it is missing */
    const char *note;   /* for all frames, in front of each reason: "drawn from a stored state"; or
                         * "" */
    double fps;         /* of the film; 0: unknown */
    const struct limits *limits;
    struct exhibit_side side[2];
    const struct frame_pair *pairs; /* [count] all pairs, in the order of the film */
    size_t count;
    const struct exhibit_frame *frames; /* to be shown as single frames, ... */
    size_t frame_count;
    const struct picture_judge *judge; /* ... followed by those that this chooses; NULL: none */
};

/* Measures all pairs, which both sides have, and adds them to a judge. Returns STATUS_MISMATCH for
 * sides that differ in size. */
enum status exhibit_measure(const struct exhibit *exhibit, struct picture_judge *judge);

/* Adds the frames to the case, which has at most EXHIBIT_MOST, as 8-bit PNG files:
 * FOLDER/frame-000017-a.png, -b.png and -difference.png. If one side lacks the frame, or if the
 * sides differ in size, each is shown alone.
 *
 * If the case has no clip yet, and the sides do not differ in size, writes FOLDER/clip.mp4: A, B
 * and their difference side by side, of at most CLIP_FRAMES_MAX pairs, which begin CLIP_LEAD_IN
 * before the earliest of the frames. It shows what single frames do not: flicker, dropped frames,
 * jumps of the camera. It is H.264, which every browser plays from inside a page. Large pictures
 * are scaled down; a scaled difference keeps the maximum of each area, so that a single pixel stays
 * visible. A frame that one side lacks is grey. Without an encoder, or if the film cannot be made
 * small enough, there is no clip, and a warning says so. */
enum status exhibit_show(const struct exhibit *exhibit, struct case_report *one);

/* Writes A, B and their difference, `gain` times as large, of all pairs that both sides have, as a
 * film at full size. STATUS_STOPPED after *stop. */
enum status exhibit_film(const struct exhibit *exhibit, const char *path, double gain,
                         uint32_t fps_num, uint32_t fps_den, const volatile sig_atomic_t *stop);

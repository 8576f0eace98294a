/* Reads a finished film back into its record: packets, container, the bytes of its boxes, what
 * encoding has lost, and from the pixels which picture each frame shows. The n-th frame shown is
 * the n-th of the record; if the film and the record have different numbers of frames, those that
 * both have are filled in. */
#pragma once

#include "cmd/regression/record/record.h"
#include "render/picture/picture.h"
#include "render/renderer.h"
#include "render/sink/sink.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

#include <stddef.h>

/* ---- hooks into the making of a film that is recorded ----
 *
 * A baseline keeps states and pictures of it, a control changes them. Any function may be NULL; a
 * failure ends the run. Each is called for one frame after the other, but hooks on different
 * threads may run at once. */

enum { RECORD_ASTRAY_MAX = 8 };

struct record_hooks {
    void *user;
    /* Called with the scene that the film is opened with, a deep copy that the hook may change. The
     * record still has the text of the scene that was asked for. */
    void (*scene)(void *user, struct scene *scene);
    /* Called with the encoding parameters, before the sink is planned and opened. */
    void (*sink)(void *user, struct sink_params *params);
    /* Called when the simulations have reached the frame, on their thread. */
    enum status (*simulated)(void *user, struct simulation *const *simulations, int count);
    /* Called before the frame's view is drawn, on the renderer's thread. The hook may change the
     * view, and its bodies if they are in host memory. */
    enum status (*drawing)(void *user, struct renderer *renderer, struct view *view);
    /* Called with a picture as drawn, before it is recorded, on the renderer's thread. The hook may
     * change the picture. */
    enum status (*picture)(void *user, struct picture *picture);
    /* Called with the same picture after it was recorded. The encoder gets the picture as the hook
     * leaves it. */
    enum status (*encoding)(void *user, struct picture *picture);
    /* Called with the finished file before it is read back. */
    enum status (*file)(void *user, const char *path);
    /* Called with frames of a film whose frames are out of order: the picture that was drawn, and
     * rgb[height][width][3], what the film shows in its place, as the reader gives it; NULL if the
     * film has ended. Called for at most RECORD_ASTRAY_MAX frames, from shortly before the first
     * that is out of order. */
    enum status (*astray)(void *user, const struct picture *drawn, const uint16_t *rgb,
                          uint32_t width, uint32_t height);
};

/* ---- pictures, and what encoding has lost of them; thread-safe ---- */

/* The samples of one component of a decoded picture, row after row, and the length of the rows. For
 * encoded Y'CbCr, each component is as decoded; for RGB, only the first is used, and it holds
 * 16-bit RGB. NULL: not available. */
struct decoded_component {
    const uint16_t *samples;
    uint32_t width, height;
};

struct decoded {
    struct decoded_component component[3];
    uint32_t bits; /* for Y'CbCr; ProRes, for one, decodes to more bits than it was given */
};

/* Fills in the rows CODED and LOSS of measures.def; NAN if the components cannot be compared. PSNR
 * is in dB relative to the largest code, as ffmpeg computes it, and INFINITY if all samples are
 * equal; for RGB, it is that of its luma, blue and red. `data` is the picture's memory, laid out
 * like `layout`. */
void loss_measure(const struct picture_layout *layout, const uint8_t *data,
                  const struct decoded *decoded, struct frame_record *frame);

/* Copies the same values from a frame; NULL: sets them to NAN. */
void loss_take(struct frame_record *frame, const struct frame_record *known);

/* Gives the luma of both pictures in codes of 255, as width * height bytes each, at the size of the
 * picture. Returns false if they cannot be compared. */
bool loss_luma(const struct picture_layout *layout, const uint8_t *data,
               const struct decoded *decoded, uint8_t *given, uint8_t *shown);

/* Fills in frame->picture, the rows DRAWN of measures.def, and the thumbnail. Light is luma to the
 * power of 2.2, the gamma with which the look's tone curve ends. `known` may be a record of the
 * same picture, whose measurements are then copied; or NULL. */
void luma_measure(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame);

/* Does the same, and fills in the light that the renderer has measured: a picture as drawn. */
void drawn_record(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame);

/* Returns the luma of R'G'B' by Rec. ITU-R BT.709-6, in codes of the same number of bits. */
uint32_t luma_of(uint32_t red, uint32_t green, uint32_t blue);

/* ---- order ---- */

/* Copies of the pictures that the encoder was given, kept until the film is read back. */
struct kept_pictures {
    struct picture_layout layout;
    uint8_t **data; /* [the record's frames] of layout.size bytes; NULL: not kept */
};

struct film_order;

/* Compares the first `pictures` pictures, which were kept without a gap, with the first `frames`
 * frames of the film. `kept` must outlive the order. */
struct film_order *film_order_open(const struct kept_pictures *kept, uint64_t pictures,
                                   uint64_t frames);
void film_order_close(struct film_order **order); /* accepts a pointer to NULL */

/* Adds the next decoded frame. */
void film_order_add(struct film_order *order, const struct decoded *decoded);

/* Call after all frames were added. Sets record->shows, or leaves it NULL if each frame shows its
 * own picture or the pictures cannot be compared. `frames` is the number of frames in the film;
 * those after the last added one are assumed to continue in order. */
void film_order_end(struct film_order *order, uint64_t frames, struct record *record);

/* Describes faults in a film's order, "frame 5 is missing in the film"; the caller frees the text.
 * NULL if every frame shows its own picture. */
struct order_faults {
    char *text;
    uint64_t count; /* frames that are missing, repeated or out of place */
    int64_t first;  /* the first such frame; -1: none */
};
struct order_faults film_order_faults(const struct record *record);

/* Returns whether two films show the same frames in the same order. */
bool film_order_same(const struct record *a, const struct record *b);

/* ---- reading ---- */

/* Reads packets and container fields; platform.encoder gets the encoder's own description of
 * itself. */
enum status readback_film(const char *path, struct record *record);
/* Does the same for a PNG sequence, whose files have `bytes` bytes in total. */
enum status readback_sequence(const char *path, uint64_t bytes, struct record *record);

/* Decodes all frames, finds out which picture each of them shows, and measures the loss relative to
 * that picture. *compared: frames whose loss could be measured. If frames are out of order, `hooks`
 * (may be NULL) gets some of them. */
enum status readback_pictures(const char *path, const struct kept_pictures *kept,
                              const struct record_hooks *hooks, struct record *record,
                              uint64_t *compared);

/* ---- boxes ---- */

/* Fills in record->boxes from a finished film and replaces what is there. MP4 and MOV get an entry
 * for every box with all of its bytes, "moov.trak.mdia.minf.stbl.stss"; the second box of a name is
 * "moov.trak#2". A box with children has an entry for its own header only. Any other container, and
 * everything after bytes that are not a box, is one entry, "file". Returns STATUS_IO when the file
 * cannot be read. */
enum status boxes_read(const char *path, struct record *record);

/* Names the first difference, "box moov.trak.mdia.minf.stbl.stss"; the caller frees it. *count:
 * number of boxes that differ. Returns NULL if none does. If `packets` is false, boxes that hold
 * the film's packets are ignored. */
char *boxes_difference(const struct record *before, const struct record *now, bool packets,
                       uint32_t *count);

/* ---- a film joined from segments ---- */

/* Checks that the records, in the film's order, have the same scene and that their frames follow
 * each other without a gap. Returns STATUS_USAGE, naming the files, if not. */
enum status joined_check(const struct record *parts, const char *const *names, size_t count);

/* Moves the frames out of records that joined_check accepted, and reads everything else from the
 * film at `path`. If the segments were made with different programs or devices, lists all of them.
 * Free *out and the parts in every case. */
enum status joined_record(struct record *parts, size_t count, const char *path, struct record *out);

/* Judges a single film, without another one to compare it with: the film, the content of its file
 * and its metadata; and the stages by which it is judged. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"
#include "render/inspect/inspect.h"
#include "render/reader/played.h"
#include "scenes/scene.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct verify_params {
    const char *path;              /* a film, or the pattern of a sequence, as for reader_open */
    const struct record *manifest; /* the manifest whose packets the film must have; NULL: none */
    unsigned redraw;               /* frames to redraw from the film's own scene; 0: none */
    const char *backend;           /* backend for redrawing, as for simulation_open */
    int device;
    const struct limits *limits;
    volatile sig_atomic_t *stop; /* may be NULL */
};

/* Adds the film's case to the report and concludes it. A film that cannot be examined is a case
 * without frames that is not judged, with the reason: STATUS_IO when the file does not exist or
 * cannot be read, STATUS_USAGE when it is neither a film nor PNG files, STATUS_DEVICE when there is
 * no decoder. Returns STATUS_STOPPED once *stop is nonzero; the report is then useless. */
enum status verify_film(const struct verify_params *params, struct report *report);

/* ---- the film, and what its file and its tags say ---- */

struct driver;

struct subject {
    const char *path;
    const struct limits *limits;
    struct inspection film;
    struct played played; /* of a film; empty for picture files */
    char *unplayed;       /* why that cannot be read; NULL */
    const char *damaged;  /* the name of one of this program's tags that is damaged; NULL: none */
    bool ours;            /* the film has tags that only this program writes */
    struct scene *scene;  /* from the film's tag; NULL: no scene, or one that is refused */
    char *refusal;        /* why the scene is refused; NULL */
    bool has_range;       /* first, last and of are set from the tag of frames */
    uint64_t first, last, of;
    const struct driver *driver; /* that encoded the film, by its tag; NULL: unknown */
};

/* Returns the number, within the scene's film, of the i-th frame. */
uint64_t subject_frame(const struct subject *subject, uint64_t index);

/* ---- stages ---- */

/* Judges a film's scene: it parses, its hash and seed match the tags, and the film has its size,
 * rate and length. Not applicable to a film that this program did not make. */
void verify_scene(const struct subject *subject, struct stage_report *stage);

/* Limits what redrawing can be made to do by a film's scene, which anybody may have written. */
enum { TRUST_BODIES_MAX = 1 << 22 };

/* Returns STATUS_OK if the scene may be drawn: it matches the hash in its tag, asks for at most
 * TRUST_BODIES_MAX bodies, and reads no bodies file outside the film's folder and the folders in
 * $GRAVREEL_DATA, with their subfolders. Logs the bodies file. Otherwise returns STATUS_MISMATCH
 * with the reason. The subject must have a scene. */
enum status trust_scene(const struct subject *subject);

/* Judges whether every packet of a film is intact: each decodes without a warning, key frames are
 * marked as they are in the stream, GOPs are closed and no longer than the encoder makes them (an
 * open GOP in a film made by another program is a warning). Not applicable to PNG files, whose
 * damage verify_pictures finds. */
void verify_packets(const struct subject *subject, struct stage_report *stage);

/* Judges whether a film's pictures can be pictures of something that moves.
 *
 * No frame may have infinite or NaN samples. No frame may be black or repeat the one before it.
 * Both are judged relative to the film: a film may begin in the dark and may slow down, but then
 * its light and its motion change gradually. A run of black frames is a fault if a frame next to it
 * has more than a quarter of the median frame's light; a run of equal frames is a fault if the
 * change next to it is more than a quarter of the film's median change; either is a fault if all
 * frames are so. A film of one frame cannot be frozen. Next to slow motion, equal frames are a
 * warning in a film that codes few frames independently: encoders skip what hardly moves. A film of
 * eight or more frames is frozen if all are as close to the first as encoded copies of it, unless
 * its tags say that the bodies rest.
 *
 * Captions must not hide a black frame. The light of a frame is therefore what it has above the
 * minimum of each pixel over all frames, and black means less than a twentieth of the median
 * frame's light. Where captions come and go, or may do so, a frame that is black only in this sense
 * is a warning.
 *
 * Two adjacent frames that fit much better between their neighbours in the other order are swapped,
 * unless the pairs before and after do so too, as where fast motion is coded roughly. This is
 * judged in films of eight or more frames whose motion is smooth in most places; a swap is missed
 * where the motion is too fast or too slow, and where a caption or a fade begins.
 *
 * verify_film concludes the stage after frames have been redrawn. */
void verify_pictures(const struct subject *subject, struct stage_report *stage);

/* Judges the metadata of a film's file: how many frames it has, when they are shown, in which
 * colours, and what players show and play besides. In a film by this program, everything must be as
 * its encoder and muxer write it, and as its scene asks for. In other films, container and stream
 * must agree; a missing field or an uneven time step is a warning. For PNG files, only their number
 * is judged. */
void verify_container(const struct subject *subject, struct stage_report *stage);

/* The number of frames with a fault, the first of them (-1: none), and its fault. */
struct tally {
    uint64_t wrong;
    int64_t first;
    const char *why;
};
typedef const char *verify_fault(const struct subject *subject, uint64_t frame); /* NULL: none */
struct tally verify_tally(const struct subject *subject, verify_fault *fault);

/* Writes the stage's sentence from its worst findings, separated by `between`, and sets its first
 * frame. Call again after a further finding. */
void verify_conclude(struct stage_report *stage, const char *between);

/* Compares a film's packets, and everything else in its file, with its manifest.
 *
 * Adds to the stages packets and container, which have been judged before, whether each packet and
 * each box of the file has the hash in the manifest: together, every bit of the film. Data that the
 * manifest of an older program lacks is a warning. Fails, and does not judge the packets, if either
 * the film or the manifest has none. */
enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct case_report *one);

/* ---- frames drawn again from the scene inside the film ---- */

/* A summary of the redrawing, for the case's sentence. */
struct redrawn {
    uint64_t frames;
    uint64_t ordered; /* frames whose order, light and colour are compared; these among them */
    char *missing; /* what the frames could not tell, see lit_judge_missing; the caller frees it */
    bool bits;     /* compared bit by bit; otherwise by limits */
    bool packets;  /* every packet is compared with the result of encoding again */
};

/* Compares `params->redraw` frames, spread evenly over the film and including the last one, whose
 * damage shows any damage in its GOP. They are drawn again with the frames before them (all, in a
 * film of up to 2^31 pixels, which is 1,000 frames of 1920x1080), and encoded again as the film
 * was. If the encoder is lossless, the film must have the picture bit by bit. If all frames of a
 * single segment are compared with the same encoder, renderer and device, all frames must be the
 * same bit by bit, and so must the packets. Otherwise a frame may have lost only slightly more,
 * relative to the drawn picture, than encoding again loses.
 *
 * All frames that are drawn must be in their order in the film, and unless bits are compared,
 * light, colour, detail and layout of their lit pixels must be those of the pictures encoded again
 * (cmd/regression/judge/picture_judge.h).
 *
 * Also compares the state at the start with its tag and, if the film has a tag for it, the state at
 * the end; the latter only where bits must be the same: with the force exact, or on the same device
 * and kernel.
 *
 * Does not draw a scene that trust_scene refuses.
 *
 * Adds to the stages start, physics, picture and packets, and concludes the first two. A failure of
 * the scene, a device or the disk is reported as a stage that is not judged; the only failure
 * returned is STATUS_STOPPED. */
enum status verify_redraw(const struct subject *subject, const struct verify_params *params,
                          struct case_report *one, struct redrawn *out);

/* The record of a run: what a film was at every stage, frame by frame. A manifest stores it, a
 * baseline is a manifest with pictures and states beside it, and judges compare two records. Plain
 * values; used by one thread at a time.
 *
 * A further value of a frame is a row of measures.def. RECORD_FORMAT changes with the names. */
#pragma once

#include "base/hash.h"
#include "base/json/codec.h"
#include "base/status.h"
#include "render/draw.h"
#include "sim/diagnostics.h"

#include <stdbool.h>
#include <stdint.h>

/* Sums of all coordinates with signs that depend only on body and coordinate. The difference of two
 * sketches of N bodies estimates how far the bodies lie apart without storing them: rms = sqrt(sum
 * over k of (a[k] - b[k])^2 / (RECORD_SKETCH * N)), with a standard error of 18 % (Johnson &
 * Lindenstrauss 1984; signs: Achlioptas 2003). */
enum { RECORD_SKETCH = 16 };

enum { RECORD_THUMBNAIL_WIDTH = 16, RECORD_THUMBNAIL_HEIGHT = 9 };

/* The bodies of one simulation. Here and below, "" in a hash and NAN in a number mean that it was
 * not recorded. */
struct bodies_record {
    char state[HASH_TEXT]; /* masses, positions and velocities, double; of the first simulation "",
                            * because frame_record.state has those of all */
    double sketch[RECORD_SKETCH]; /* of the positions */
    struct diagnostics diagnostics;
    double half_mass; /* radius about the centre of mass that holds half the mass */
};

enum { RECORD_FORMAT = 1 };

enum { RECORD_OTHERS = PANELS_MAX - 1 };

#define RECORD_NO_FRAME UINT64_MAX

/* One frame: measures.def, and what has more than one number. */
struct frame_record {
    uint64_t frame;                          /* number within the scene's film */
    double time;                             /* simulated */
    struct bodies_record bodies[PANELS_MAX]; /* of each simulation; further panels show those after
                                              * the first */
    uint8_t thumbnail[RECORD_THUMBNAIL_HEIGHT][RECORD_THUMBNAIL_WIDTH]; /* mean luma code, 8 bits */
#define HASH(name, doc)         char name[HASH_TEXT];
#define REAL(name, doc)         double name;
#define REALS(name, count, doc) double name[count];
#define WHOLE(name, doc)        uint64_t name;
#define FLAG(name, doc)         bool name;
#include "cmd/regression/record/measures.def"
};

/* Everything that the bits depend on besides the scene. Where the texts are equal, the bits must
 * agree. Each text names everything that affects its stage and nothing else; it is "" if nothing
 * does (physics with force exact). */
struct platform {
    char *start;   /* "functions 0x1f2e3d4c"; "" where bodies come from a file */
    char *physics; /* "fast on cpu, avx512, ..." */
    char *drawing; /* "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6" */
    char *encoder; /* "libx264 164 ..., libavcodec 59.37.100" */
    char *muxer;   /* "libavformat 59.27.100" */
};

/* The fields of the finished file: measures.def, and numbers. */
struct container_record {
#define FIELD(name, said, unsaid) char *name;
#include "cmd/regression/record/measures.def"
#undef FIELD
    uint32_t width, height, fps_num, fps_den;
    uint64_t frames, bytes;
    uint64_t hidden;       /* packets in the file that are marked as not shown */
    double duration;       /* seconds */
    char times[HASH_TEXT]; /* of all presentation times, in time_base */
    int64_t *shown;        /* [frames] the same times; NULL: unknown, as after reading a manifest */
};

/* A part of a manifest that belongs to other code: a JSON value of any kind under a name of its
 * own, which the record carries without interpreting it. */
struct record_section {
    char *name, *text; /* "baseline"; JSON as a manifest has it */
};

/* A box of the film's file (boxes_read in readback.h). */
struct box_record {
    char *name;
    char hash[HASH_TEXT];
};

struct record {
    char *program;            /* "gravreel 1.0.0" */
    char *commit;             /* commit of the program, "4f1c2ab09d"; "": unknown */
    char *renderer_class;     /* "llvmpipe-256", "nvidia", ... */
    char *device, *libraries; /* for information only: not compared */
    char *encoding; /* for information only: "libx264 medium crf 23, 8 threads"; "": older record */
    struct platform platform;
    char *scene; /* the resolved scene's text: lines that end with a line feed */
    char *scene_hash;
    uint64_t bodies; /* of the first simulation */
    /* The first panel that shows each other simulation: "2 (half of the sources)"; "": no such
     * simulation. */
    char *other_panel[RECORD_OTHERS];
    double softening;
    char *output_format; /* "mp4", "png", ... */
    struct container_record container;
    uint64_t count;
    struct frame_record *frames; /* [count], ascending */
    /* [shown] For each frame of the finished film, the number of the frame whose picture it shows,
     * found from the pixels; RECORD_NO_FRAME: none of them. NULL: every frame shows its own
     * picture. */
    uint64_t *shows;
    uint64_t shown;
    struct box_record *boxes; /* [box_count] boxes of the film's file; none: not recorded */
    uint32_t box_count;
    size_t section_count;
    struct record_section *sections;
};

/* Creates frames first to first + count - 1, with nothing recorded, in a record that is {0}.
 * Returns STATUS_RUNTIME when they do not fit in memory. */
enum status record_create(struct record *record, uint64_t first, uint64_t count);
void record_free(struct record *record); /* accepts a zeroed one */

/* Clears everything in a frame except its number. */
void frame_record_clear(struct frame_record *frame, uint64_t number);

/* Copies what follows from the state from `known`, and returns true, if `known` has the same state
 * and all of these values. */
bool frame_record_take_diagnostics(struct frame_record *frame, const struct frame_record *known);

/* Returns the frame with that number; NULL when there is none. */
struct frame_record *record_frame(const struct record *record, uint64_t frame);

/* Returns how many frames the finished film shows, and the number of the frame that its i-th one
 * shows; RECORD_NO_FRAME: none that was drawn. */
uint64_t record_shown(const struct record *record);
uint64_t record_shows(const struct record *record, uint64_t i);

/* Adds or replaces a section or, if text is NULL, removes it; copies name and text. */
void record_set_section(struct record *record, const char *name, const char *text);
const char *record_section(const struct record *record, const char *name); /* NULL: none */

/* Sets the commit of the program, copied; "unknown" is not recorded. */
void record_set_commit(struct record *record, const char *commit);

/* Adds bodies first .. first + count - 1 to the sketch, which is 0 without any. Sums continue in
 * the order of the bodies. */
void record_sketch_add(const double (*position)[3], size_t first, size_t count,
                       double sketch[RECORD_SKETCH]);

/* Returns the RMS distance between the bodies of two frames; NAN if one has no sketch. */
double record_distance(const struct record *a, const struct bodies_record *in_a,
                       const struct bodies_record *in_b);

/* ---- the presentation times, of which a manifest stores only a hash ---- */

/* Hashes ticks of the time base, one per frame. */
void times_hash(const int64_t *ticks, uint64_t count, char out[HASH_TEXT]);

/* Returns [container->frames] ticks of the time base, which the caller frees: the times that were
 * read, or those of a constant frame rate if they have the same hash. NULL: unknown. */
int64_t *times_of(const struct container_record *container);

/* Returns the duration of a tick of a time base such as "1/12800" in seconds; NAN: unknown. */
double times_base(const char *time_base);
/* Does the same for a container's time base. */
double times_tick(const struct container_record *container);

/* ---- the manifest ---- */

/* The text of a record: the manifest of a film.
 *
 *   {
 *    "gravreel_manifest": 1,            the format
 *    "program": "gravreel 1.0.0",       and the other members, named in record.c
 *    "scene": [                         the resolved scene, one string per line
 *     "look:",
 *    ],
 *    "frames": [
 *     {"frame": 0, "time": 0.0, "state": "...", ...},      a line per frame
 *    ],
 *    "baseline": {...},                 sections
 *    "xxh3_128": "..."                  hash of all bytes before the comma in front of this line
 *   }
 *
 * A record has exactly one text: objects have one member per line, arrays of numbers are on one
 * line, other arrays have one element per line, and numbers have as many digits as are needed to
 * read the same value. Values that are not recorded, 0 or false are omitted. In an array, null is a
 * number that is not recorded or not finite; "equal" is the PSNR of equal pictures. Thread-safe. */

/* The first bytes of every manifest. */
#define RECORD_BEGINS "{\n \"gravreel_manifest\": "

/* Returns the text; the caller frees it. NULL when a string is not UTF-8, or a section is not JSON
 * or has a name that the record itself uses. */
char *record_to_json(const struct record *record);

/* Fills in, in every case, what record_free frees; texts that the manifest omits are "". Returns
 * STATUS_USAGE for a newer format, and STATUS_IO for anything that is not exactly the text of a
 * record; `name` is the file's name for the message. */
enum status record_from_json(struct record *record, const char *text, size_t size,
                             const char *name);

/* Do the same with files: read a file whole, or write one through a temporary file, making the
 * folder if it is missing. */
enum status record_read(struct record *record, const char *path);
enum status record_write(const struct record *record, const char *path);

/* The result of a comparison: the data that all reports are views of (cmd/regression/report).
 * check, compare and verify write it; `baseline --accept` reads it. Owns its texts; report_free
 * frees them. Used by one thread at a time. */
#pragma once

#include "base/hash.h"
#include "base/status.h"
#include "cmd/regression/judge/rules.h"

#include <stdbool.h>
#include <stdint.h>

/* Ordered from best to worst. Only SAME, WITHIN and WARNED pass; a case in which nothing was
 * compared never passes. */
enum verdict {
    VERDICT_NOT_APPLICABLE, /* this kind of film has no such stage; neutral */
    VERDICT_SAME,           /* the same bits */
    VERDICT_WITHIN,         /* other bits, all within the limits */
    VERDICT_WARNED,         /* within the limits, but beyond one that warns */
    VERDICT_NOT_COMPARED,   /* the scene has changed, and with it what the stage would be compared
                             * with; only of a stage, whose case is CHANGED */
    VERDICT_NOT_JUDGED,     /* could not be compared; the sentence says why */
    VERDICT_CHANGED,
};
bool verdict_passes(enum verdict verdict);
/* Returns whether nothing differs: SAME, or a stage that the film does not have. */
bool verdict_is_same(enum verdict verdict);
extern const struct registry verdict_registry; /* entries: struct choice, index = enum verdict */
const char *
verdict_name(enum verdict verdict); /* "not applicable", "same", "within", "warned", ... */

/* The result of one rule: its worst value, and where that was. */
struct finding {
    const struct rule *rule;
    enum verdict verdict;
    double value, warn, fail;
    char *because;          /* reason for a limit that is not the default; NULL */
    int64_t frame;          /* -1: the whole film */
    int32_t x, y;           /* pixel from the upper left corner; -1: none */
    int32_t tile_x, tile_y; /* of 32 x 32 pixels; -1: none */
    uint16_t a[3], b[3];    /* 16-bit RGB of that pixel */
    char *text;             /* one sentence: "body 4211 moved 3e-4 by frame 17" */
};

struct stage_report {
    enum verdict verdict;
    bool substituted;    /* judged from the baseline's stored states or frames, because an earlier
                          * stage differs */
    bool same_platform;  /* bits had to agree */
    bool follows;        /* differs because an earlier stage does: not judged */
    int64_t first_frame; /* first frame that differs; -1: none */
    uint64_t planned, compared; /* frames; 1 of 1 if the stage has no frames */
    char *sentence;             /* "same bits in 48 of 48 frames"; "PNG files have no packets" */
    struct finding *findings;
    uint32_t finding_count;
};

/* A value per frame, for timelines. */
struct series {
    const struct rule *rule;
    double *value; /* [frames of the case]; NAN: not measured */
};

/* Something that has changed: "Mesa", "22.3.6", "25.0.7". */
struct environment_change {
    char *what, *before, *now;
};

/* A mark in a picture. */
struct mark {
    enum { MARK_MISSING_STAR, MARK_ADDED_STAR, MARK_TILE, MARK_PIXEL } kind;
    int32_t x, y; /* centre, pixels */
    double size;  /* radius of a star, half the side of a tile */
    double value; /* codes of 255; for a tile its severity, as in struct shown_frame */
};

/* Pictures of one frame to view, as PNG files; NULL if there is none. */
struct shown_frame {
    int64_t frame;
    char *a, *b, *difference; /* paths; a: the baseline's */
    struct mark *marks;
    uint32_t mark_count;
    /* Severity: the share of its limit that the worst rule uses, above 1 beyond the limit; for a
     * limit of 0, 1 plus the value found. */
    double worst;
    char *why; /* why the frame is shown: "the first that fails"; NULL: because of `worst` */
};

/* Frames of A and B that are compared, or shown side by side; -1: this side has none. */
struct frame_pair {
    int64_t a, b;
};

/* A short film of A | B | difference. */
struct clip {
    char *path;       /* NULL: there is none */
    double fps, gain; /* fps of the clip; gain of the difference */
    struct frame_pair *frames;
    uint32_t count;
};

/* A step of the alignment of A's frames with B's. */
struct alignment_step {
    enum { STEP_PAIR, STEP_DROPPED, STEP_ADDED, STEP_REPEATED, STEP_SWAPPED } kind;
    int64_t a, b; /* -1: none */
};

struct case_report {
    char *name;  /* of the baseline, or "A against B" */
    char *a, *b; /* paths of what was compared */
    enum verdict verdict;
    int stage;      /* enum judged, the stage that names the cause; -1: none */
    char *sentence; /* "physics changed at frame 17: body 4211 moved 3e-4; ..." */
    struct stage_report stages[JUDGED_COUNT];
    uint64_t frames;     /* number planned */
    double fps, seconds; /* fps of the film; seconds the check took */
    struct series *series;
    uint32_t series_count;
    struct environment_change *environment;
    uint32_t environment_count;
    struct alignment_step *alignment;
    uint32_t alignment_count;
    struct shown_frame *shown;
    uint32_t shown_count;
    struct clip clip;
    char *reproduce, *accept;              /* command lines; NULL: none */
    char *author, *reason, *date, *anchor; /* of the baseline; anchor: how far it has drifted */
    /* For --accept: the hash of the baseline's text as judged, the path of the new record and its
     * hash; NULL or "" for compare and verify. */
    char *baseline, *candidate;
    char baseline_hash[HASH_TEXT], candidate_hash[HASH_TEXT];
};

/* The first bytes of a report that cmd/regression/report/report_json.h writes. */
#define REPORT_BEGINS "{\n \"format\": "

struct report {
    char *command; /* "check", "compare", "verify" */
    char *program;
    enum verdict verdict; /* the worst; NOT_JUDGED if there is no case */
    /* Pictures, clips and candidates are deleted once the report is written. Only the HTML page,
     * which embeds pictures, shows them, and no view names a file. */
    bool fleeting;
    struct case_report *cases;
    uint32_t case_count;
};

void report_free(struct report *report); /* accepts a zeroed one */

/* Appends an empty case with every stage not judged; valid until the next call. */
struct case_report *report_add_case(struct report *report, const char *name);
/* Appends copies of the three texts. */
void case_add_environment(struct case_report *one, const char *what, const char *before,
                          const char *now);

/* Appends a finding to a stage: without frame, pixel or tile, with the rule's own limits,
 * NOT_JUDGED. Valid until the next call. Callers normally use stage_measured(). */
struct finding *stage_add_finding(struct stage_report *stage, const struct rule *rule);

/* Frees what a stage has, and makes it empty and not judged. */
void stage_clear(struct stage_report *stage);

/* Returns whether the finding says only that bits differ, not by how much. */
bool finding_tells_bits(const struct finding *finding);

/* Returns whether any of the stage's findings from index `from` on is CHANGED. */
bool stage_has_changed(const struct stage_report *stage, uint32_t from);

/* Appends a measured value and judges it: SAME for 0, CHANGED beyond the failure limit, WARNED
 * beyond the warning limit, else WITHIN. NaN is CHANGED. Valid until the next call. */
struct finding *stage_measured(struct stage_report *stage, const struct limits *limits,
                               const struct rule *rule, double value);
/* Does the same with limits computed for this film. */
struct finding *stage_measured_within(struct stage_report *stage, const struct limits *limits,
                                      const struct rule *rule, double value, double warn,
                                      double fail);

/* Set the text, printf style; each call replaces the previous text. */
void finding_say(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void stage_say(struct stage_report *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Marks a stage without findings as not judged, or as not existing for this film. */
void stage_not_judged(struct stage_report *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void stage_not_applicable(struct stage_report *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the verdict, unless the stage is not applicable: that of the worst finding, and at least
 * WITHIN if a first frame differs. The verdict is NOT_JUDGED if the stage follows from an earlier
 * one, or if nothing or not everything planned was compared and nothing changed. Writes a sentence
 * if there is none. */
void stage_conclude(struct stage_report *stage);

/* Sets stage, sentence and verdict of the case from its concluded stages. The first stage that
 * changed names the cause. The verdict is NOT_JUDGED when none changed but one was not judged, or
 * when none was judged. If the scene of a baseline changed, later stages that pass were judged with
 * the recorded scene alone: they become NOT_COMPARED, and lose their findings, series and
 * alignment. */
void case_conclude(struct case_report *one);
/* Replaces the case's sentence by an allocated one. */
void case_say(struct case_report *one, char *sentence);
/* Concludes a case that cannot be judged at all: the reason becomes the sentence of the case and of
 * each stage, and replaces their findings. */
void case_give_up(struct case_report *one, const char *why);
/* Sets the report's verdict to the worst of its cases. */
void report_conclude(struct report *report);

/* Returns 0 when the report passes, 3 (STATUS_MISMATCH) otherwise. */
enum status report_status(const struct report *report);

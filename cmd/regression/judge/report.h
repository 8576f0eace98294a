/* What a comparison found: the truth that all reports are views of (cmd/regression/report). Written
 * by check, compare and verify, read by `baseline --accept`. Owned texts; free with report_free.
 * Used by one thread at a time. */
#ifndef CMD_REGRESSION_JUDGE_REPORT_H
#define CMD_REGRESSION_JUDGE_REPORT_H

#include "base/hash.h"
#include "base/status.h"
#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/rules.h"

#include <stdbool.h>
#include <stdint.h>

/* From best to worst. Only SAME, WITHIN and WARNED pass; nothing compared never does. */
enum verdict {
    VERDICT_NOT_APPLICABLE, /* of a stage that this kind of film does not have; neutral */
    VERDICT_SAME,           /* the same bits */
    VERDICT_WITHIN,         /* other bits, all within the limits */
    VERDICT_WARNED,         /* within the limits, but over one that warns */
    VERDICT_NOT_JUDGED,     /* could not be compared, and why */
    VERDICT_CHANGED,
};
bool verdict_passes(enum verdict verdict);
extern const struct registry verdict_registry; /* entries: struct choice, index = enum verdict */
const char *
verdict_name(enum verdict verdict); /* "not applicable", "same", "within", "warned", ... */

/* One rule applied: its worst value, and where that was. */
struct finding {
    const struct rule *rule;
    enum verdict verdict;
    double value, warn, fail;
    char *because;          /* of a limit that is not the default; NULL */
    int64_t frame;          /* -1: of the whole film */
    int32_t x, y;           /* pixel from the upper left corner; -1: none */
    int32_t tile_x, tile_y; /* of 32 x 32 pixels; -1: none */
    uint16_t a[3], b[3];    /* 16-bit RGB of that pixel */
    char *text;             /* one sentence: "body 4211 moved 3e-4 by frame 17" */
};

struct stage_report {
    enum verdict verdict;
    bool substituted;    /* judged by the baseline's stored states or frames, because an earlier
                            stage differs */
    bool same_platform;  /* bits had to agree */
    bool follows;        /* differs, as it must because an earlier stage does: not judged */
    int64_t first_frame; /* that differs; -1: none */
    uint64_t planned, compared; /* frames; 1 of 1 where a stage has none */
    char *sentence;             /* "same bits in 48 of 48 frames"; "PNG files have no packets" */
    struct finding *findings;
    uint32_t finding_count;
};

/* A figure over frames, for timelines. */
struct series {
    const struct rule *rule;
    double *value; /* [frames of the case]; NAN: not measured */
    double *band;  /* [frames]: how far the ensemble's members are apart; NULL: there is none */
};

/* Something that is otherwise than it was: "Mesa", "22.3.6", "25.0.7". */
struct environment_change {
    char *what, *before, *now;
};

/* A mark in a picture. */
struct mark {
    enum { MARK_MISSING_STAR, MARK_ADDED_STAR, MARK_TILE, MARK_PIXEL } kind;
    int32_t x, y; /* centre, pixels */
    double size;  /* radius of a star, half a side of a tile */
    double value; /* codes of 255; of a tile how far it goes, as in struct shown_frame */
};

/* Pictures of one frame to look at, as PNG files; NULL where there is none. */
struct shown_frame {
    int64_t frame;
    char *a, *b, *difference; /* paths; a: the baseline's */
    struct mark *marks;
    uint32_t mark_count;
    /* How far it goes: the share of a limit that the worst rule uses, more than 1 beyond it; where
     * nothing is allowed, 1 and what was found. */
    double worst;
    char *why; /* it is shown: "the first that fails"; NULL: for what `worst` says */
};

/* A short film of A | B | difference. */
struct clip {
    char *path;       /* NULL: there is none */
    double fps, gain; /* of the clip; of the difference */
    struct clip_frame {
        int64_t a, b; /* that it shows side by side; -1: none */
    } * frames;
    uint32_t count;
};

/* Which frame of A met which of B. */
struct alignment_step {
    enum { STEP_PAIR, STEP_DROPPED, STEP_ADDED, STEP_REPEATED, STEP_SWAPPED } kind;
    int64_t a, b; /* -1: none */
};

/* The smallest change that the self-test saw, per kind of change. */
struct sensitivity {
    char *what;     /* "exposure" */
    char *smallest; /* "0.4 %" */
    enum judged stage;
};

struct case_report {
    char *name;  /* of the baseline, or "A against B" */
    char *a, *b; /* what was compared: paths */
    enum verdict verdict;
    int stage;      /* enum judged that names the cause; -1: none */
    char *sentence; /* "physics changed at frame 17: body 4211 moved 3e-4; ..." */
    struct stage_report stages[JUDGED_COUNT];
    uint64_t frames;     /* planned */
    double fps, seconds; /* of the film; of the check */
    struct series *series;
    uint32_t series_count;
    struct environment_change *environment;
    uint32_t environment_count;
    struct alignment_step *alignment;
    uint32_t alignment_count;
    struct shown_frame *shown;
    uint32_t shown_count;
    struct clip clip;
    struct sensitivity *sensitivity;
    uint32_t sensitivity_count;
    char *reproduce, *accept;              /* command lines; NULL: none */
    char *author, *reason, *date, *anchor; /* of the baseline; anchor: how far it has crept */
    /* Candidates for --accept: hash of the baseline's text as judged, path of the new record and
     * its hash; NULL/"" for compare and verify. */
    char *baseline, *candidate;
    char baseline_hash[HASH_TEXT], candidate_hash[HASH_TEXT];
};

/* The first bytes of a report as cmd/regression/report/json.h writes it. */
#define REPORT_BEGINS "{\n \"format\": "

struct report {
    char *command; /* "check", "compare", "verify" */
    char *program;
    enum verdict verdict; /* the worst; NOT_JUDGED without a case */
    /* Pictures, clips and candidates are gone once the report is written: only a page, which holds
     * pictures itself, has them, and no view names a file. */
    bool fleeting;
    struct case_report *cases;
    uint32_t case_count;
};

void report_free(struct report *report); /* accepts a zeroed one */

/* Appends an empty case, with every stage not judged; valid until the next. */
struct case_report *report_add_case(struct report *report, const char *name);
/* Appends copies of the three texts. */
void case_add_environment(struct case_report *one, const char *what, const char *before,
                          const char *now);

/* Appends to a stage; of no frame, pixel or tile, with the rule's own limits, as NOT_JUDGED. Valid
 * until the next. stage_measured() is the usual way. */
struct finding *stage_add_finding(struct stage_report *stage, const struct rule *rule);

/* Appends what was measured and judges it: SAME for 0, CHANGED unless it is within the limit,
 * WARNED unless within the one that warns, else WITHIN. NaN is CHANGED. Valid until the next. */
struct finding *stage_measured(struct stage_report *stage, const struct limits *limits,
                               const struct rule *rule, double value);
/* The same with limits that were found out for this film. */
struct finding *stage_measured_within(struct stage_report *stage, const struct limits *limits,
                                      const struct rule *rule, double value, double warn,
                                      double fail);

/* The texts, printf style; each replaces the one before. */
void finding_say(struct finding *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void stage_say(struct stage_report *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The stage has no findings and is not judged, or does not exist for this film. */
void stage_not_judged(struct stage_report *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void stage_not_applicable(struct stage_report *stage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sets the verdict, unless the stage is not applicable: the worst finding's, WITHIN at least where
 * a first frame differs; NOT_JUDGED unless all that was planned, and something, was compared, or
 * where the stage follows. Writes a sentence where none was said. */
void stage_conclude(struct stage_report *stage);

/* Sets stage, sentence and verdict of the case from its concluded stages: the first that changed
 * names the cause; NOT_JUDGED when none changed but one was not judged, or none was. */
void case_conclude(struct case_report *one);
/* Concludes a case of which nothing can be judged: the reason becomes its sentence and that of each
 * stage, and takes the place of what the stages had found so far. */
void case_give_up(struct case_report *one, const char *why);
/* The worst verdict of the cases. */
void report_conclude(struct report *report);

/* 0 when it passes, 3 (STATUS_MISMATCH) otherwise. */
enum status report_status(const struct report *report);

#endif

/* Controls made and judged: a correct film, recorded once per scene, against the same with a
 * control. For tests only. */
#pragma once

#include "tests/support/controls/control.h"
#include "cmd/regression/judge/report.h"
#include "cmd/regression/record/record.h"

#include <stdbool.h>

enum { HONEST_MOST = 16, CONTROL_FRAMES = 12 };

/* A correct film. */
struct honest {
    char *scene; /* its text */
    struct record record;
    struct picture reel[CONTROL_FRAMES];
};

struct control_judge {
    char folder[128]; /* of its films */
    struct honest honest[HONEST_MOST];
    int honest_count;
};

enum status control_judge_open(struct control_judge *judge);
void control_judge_close(struct control_judge *judge);

/* How a control was judged. */
struct control_verdict {
    const char
        *why_not; /* it cannot be made in the scene, or has changed nothing; otherwise NULL */
    enum verdict verdict;
    int stage;           /* that names the cause; -1: none */
    int64_t first_frame; /* of that stage */
    char sentence[400];
    char found[1500]; /* ", RULE VERDICT @FRAME" of each finding that warns or fails */
};

/* Makes the control in its scene with the size (0: its usual one), and judges the film; with
 * `elsewhere` as if it had been made on another platform, by limits instead of bits. */
enum status control_judge_make(struct control_judge *judge, const struct control *control,
                               double size, struct control_verdict *same,
                               struct control_verdict *elsewhere);

/* Judges two records of a scene; the pictures may be NULL. */
enum status control_judge_records(const struct record *before, const struct record *now,
                                  const struct picture *before_reel, const struct picture *now_reel,
                                  bool elsewhere, struct control_verdict *out);

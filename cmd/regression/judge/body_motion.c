#include "cmd/regression/judge/body_motion.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/diagnostics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the body that has moved farthest ---- */

struct moved {
    int64_t frame; /* -1: no frame has both states */
    size_t body;   /* counted from 1, as in the program's output */
    double distance;
};

/* NaN counts as farther than any number. */
static struct moved farthest(const double (*a)[3], const double (*b)[3], size_t count)
{
    struct moved out = {.frame = -1};
    for (size_t i = 0; i < count && !isnan(out.distance); i++) {
        const double x = a[i][0] - b[i][0], y = a[i][1] - b[i][1], z = a[i][2] - b[i][2],
                     distance = sqrt(x * x + y * y + z * z);
        if (!(distance <= out.distance))
            out = (struct moved){-1, i + 1, distance};
    }
    return out;
}

/* Compares the first frame, starting at `from`, at which the stored states differ. Writes "body
 * 4,211 moved 3e-4 by frame 17"; "" if no frame has both states. */
static void say_moved(const struct walk *walk, int64_t from, char *text, size_t size)
{
    const struct comparison_details *details = &walk->comparison->details;
    struct moved most = {.frame = -1};
    struct met met;
    char body[32];
    for (uint64_t i = 0; details->positions && most.frame < 0 && walk_next(walk, &i, &met);) {
        const uint64_t frame = met.now->frame;
        size_t count_a = 0, count_b = 0;
        if ((int64_t)frame < from)
            continue;
        const double(*a)[3] = details->positions(details->user, false, frame, &count_a);
        const double(*b)[3] = a ? details->positions(details->user, true, frame, &count_b) : NULL;
        if (!b || count_a != count_b)
            continue;
        most = farthest(a, b, count_a);
        most.frame = most.distance != 0 ? (int64_t)frame : -1;
    }
    text[0] = '\0';
    if (most.frame < 0)
        return;
    text_whole(body, sizeof body, (double)most.body);
    if (isnan(most.distance))
        snprintf(text, size, "body %s has no finite position by frame %" PRId64, body, most.frame);
    else
        snprintf(text, size, "body %s moved %.1e by frame %" PRId64, body, most.distance,
                 most.frame);
}

/* ---- the start ---- */

bool bodies_set_aside(struct walk *walk)
{
    const struct record *before = walk->before, *now = walk->now;
    struct stage_report *stage = walk->stage;
    stage->planned = 1;
    if (before->count > 0 && now->count > 0)
        return false;
    stage_not_judged(stage, "%s has no frames", before->count == 0 ? "the baseline" : "the film");
    return true;
}

void start_bits(struct walk *walk, const struct rule *rule)
{
    const struct frame_record *a = &walk->before->frames[0], *b = &walk->now->frames[0];
    struct stage_report *stage = walk->stage;
    char text[96];
    if (a->frame != b->frame)
        stage_say(stage, "the films begin with frames %" PRIu64 " and %" PRIu64, a->frame,
                  b->frame);
    else if (!a->state[0] || !b->state[0])
        stage_say(stage, "%s has no hash of its initial state",
                  a->state[0] ? "the film" : "the baseline");
    else
        stage->compared = 1;
    const bool same = stage->compared == 0 || strcmp(a->state, b->state) == 0;
    stage->first_frame = same ? -1 : (int64_t)b->frame;
    if (stage->compared == 0 || (!same && !stage->same_platform))
        return;
    struct finding *finding = walk_found(walk, rule, same ? 0 : 1, stage->first_frame);
    text[0] = '\0';
    if (!same)
        say_moved(walk, stage->first_frame, text, sizeof text);
    finding_say(finding, "%s", same ? "same bits" : text[0] ? text : "the bits differ");
}

bool start_is_other(const struct walk *walk)
{
    return walk->stage->first_frame >= 0 && walk->before->bodies == walk->now->bodies;
}

static double relative(double a, double b)
{
    return a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b));
}

/* Measures how far the starts differ: positions by their sketch, masses and velocities by their
 * sums, each relative to the scale of the system. */
void start_distance(struct walk *walk, const struct rule *rule)
{
    const struct bodies_record *a = &walk->before->frames[0].bodies[0],
                               *b = &walk->now->frames[0].bodies[0];
    const struct diagnostics *in_a = &a->diagnostics, *in_b = &b->diagnostics;
    const double size =
        in_a->potential < 0 ? in_a->mass * in_a->mass / -in_a->potential : a->half_mass;
    struct drift drift;
    drift_measure(in_a, in_b, 0, &drift);
    const double apart = record_distance(walk->before, a, b),
                 parts[] = {apart == 0 ? 0 : apart / size,
                            drift.centre == 0 ? 0 : drift.centre / size,
                            relative(in_a->mass, in_b->mass),
                            relative(in_a->kinetic, in_b->kinetic),
                            drift.momentum,
                            drift.angular_momentum};
    double most = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !isnan(most); i++)
        most = parts[i] <= most ? most : parts[i];
    walk_found(walk, rule, most, (int64_t)walk->now->frames[0].frame);
}

/* ---- what chaos leaves unchanged ---- */

/* Measured for pairs of correct films: relative differences of the energy reach 10 times the
 * relative distance of the bodies, and of half-mass radii 24 times; at most 2.6 times the film's
 * own drift, and 6.4 / sqrt(N). */
static const double DISTANCES = 30, DRIFTS = 8, BODIES = 15;

enum { ENERGY, MOMENTUM, ANGULAR, CENTRE, HALF_MASS, STATISTICS };

static const struct {
    enum rule_name rule;
    const char *what;
} statistics[STATISTICS] = {
    [ENERGY] = {RULE_PHYSICS_ENERGY, "the energies"},
    [MOMENTUM] = {RULE_PHYSICS_MOMENTUM, "the momenta"},
    [ANGULAR] = {RULE_PHYSICS_ANGULAR_MOMENTUM, "the angular momenta"},
    [CENTRE] = {RULE_PHYSICS_CENTRE, "the centres of mass"},
    [HALF_MASS] = {RULE_PHYSICS_HALF_MASS, "the half-mass radii"},
};

/* The frame that uses most of its limit. */
struct worst {
    double share, value, limit;
    int64_t frame, over; /* `over` is the first frame beyond the limit; -1: none */
};

static void see(struct worst *worst, double value, double limit, int64_t frame)
{
    const double share = value == 0 ? 0 : value / limit;
    if (worst->over < 0 && !(value <= limit))
        worst->over = frame;
    if (worst->frame < 0 || (!(share <= worst->share) && !isnan(worst->share)))
        *worst = (struct worst){share, value, limit, frame, worst->over};
}

/* Gets the differences of two states of a simulation; those of half-mass radii in %. */
static void differ(const struct bodies_record *a, const struct bodies_record *b, double elapsed,
                   double size, double out[STATISTICS])
{
    struct drift drift;
    drift_measure(&a->diagnostics, &b->diagnostics, elapsed, &drift);
    out[ENERGY] = fabs(drift.energy);
    out[MOMENTUM] = drift.momentum;
    out[ANGULAR] = drift.angular_momentum;
    out[CENTRE] = drift.centre / size;
    out[HALF_MASS] = 100 * fabs(b->half_mass / a->half_mass - 1);
}

int64_t bodies_statistics(struct walk *walk, const struct divergence *d)
{
    struct worst worst[STATISTICS];
    double own[STATISTICS] = {0}, drift[STATISTICS], value[STATISTICS];
    int64_t over = -1;
    for (int k = 0; k < STATISTICS; k++)
        worst[k] = (struct worst){.frame = -1, .over = -1};
    for (uint64_t i = 0; i < d->count; i++) {
        const struct bodies_record *before = divergence_bodies(d, i, false);
        differ(divergence_bodies(d, 0, false), before, d->before[i]->time - d->before[0]->time,
               d->size, drift);
        differ(before, divergence_bodies(d, i, true), 0, d->size, value);
        for (int k = 0; k < STATISTICS; k++) {
            own[k] = fmax(own[k], drift[k]);
            const double most = k == HALF_MASS ? BODIES / sqrt((double)walk->before->bodies)
                                               : DRIFTS * own[k],
                         apart = d->resolved ? DISTANCES * d->distance[i] / d->size : most;
            see(&worst[k], value[k],
                limits_fail(walk->limits, &rules[statistics[k].rule]) +
                    (k == HALF_MASS ? 100 : 1) * fmin(apart, most),
                (int64_t)d->now[i]->frame);
        }
    }
    for (int k = 0; k < STATISTICS && d->count > 0; k++) {
        const struct rule *rule = &rules[statistics[k].rule];
        struct finding *finding = stage_measured_within(
            walk->stage, walk->limits, rule, worst[k].value,
            fmin(limits_warn(walk->limits, rule), worst[k].limit), worst[k].limit);
        finding->frame = worst[k].frame;
        finding_say(finding, "%s differ by %.1e%s%s, allowed is %.1e", statistics[k].what,
                    worst[k].value, rule->unit[0] ? " " : "", rule->unit, worst[k].limit);
        over = judge_earlier(over, worst[k].over);
    }
    return over;
}

double energy_change(const struct met *met)
{
    double value[STATISTICS];
    differ(&met->before->bodies[0], &met->now->bodies[0], 0, 1, value);
    return value[ENERGY];
}

/* ---- how far the bodies are apart ---- */

/* Round-off starts at BEGINS of the system's size and grows by FOLDS e-folds
 * per crossing time. */
static const double BEGINS = 1e-6, FOLDS = 1.5;
static const double HORIZON = 0.1; /* of the softening */

enum { PART_MAX = 200 };

/* Returns how much the forces of two correct programs may differ in the baseline's force mode; the
 * scene describes the force of the first simulation. */
static double force_limit(const struct walk *walk, int simulation)
{
    const char *scene = simulation == 0 ? walk->before->scene : NULL;
    const bool in_double = scene && strstr(scene, "\n  force: double\n");
    return limits_fail(walk->limits,
                       &rules[in_double ? RULE_PHYSICS_FORCES_DOUBLE : RULE_PHYSICS_FORCES_FAST]);
}

double bodies_allowed(const struct walk *walk, const struct divergence *d, uint64_t i)
{
    const double allowed = d->size * BEGINS * exp(FOLDS * d->crossings[i]);
    return d->resolved && allowed <= HORIZON * walk->before->softening ? allowed : INFINITY;
}

/* Returns the RMS distance at pair i as a share of what is allowed. */
static double share_at(const struct walk *walk, const struct divergence *d, uint64_t i)
{
    return d->distance[i] == 0 ? 0 : d->distance[i] / bodies_allowed(walk, d, i);
}

double other_time(const struct met *met)
{
    const double a = met->before->time, b = met->now->time;
    return !(a == b || (isnan(a) && isnan(b)));
}

static void judge_growth(struct walk *walk, const struct divergence *d)
{
    struct finding *finding = walk_found(walk, &rules[RULE_PHYSICS_JUMP], d->excess, d->frame);
    finding_say(finding, "the forces differ by %.1e of their size, %.2g times what round-off does",
                d->force, d->excess);
    if (d->count >= 2)
        walk_found(walk, &rules[RULE_PHYSICS_BEGINS], d->begins, (int64_t)d->now[1]->frame);
}

/* Returns the first frame beyond the limit; -1: none. */
static int64_t judge_positions(struct walk *walk, const struct divergence *d)
{
    const struct rule *rule = &rules[RULE_PHYSICS_POSITIONS];
    const double limit = limits_fail(walk->limits, rule);
    double most = 0;
    uint64_t at = 0;
    int64_t over = -1;
    for (uint64_t i = 0; i < d->count && !isnan(most); i++) {
        const double share = share_at(walk, d, i);
        if (over < 0 && !(share <= limit))
            over = (int64_t)d->now[i]->frame;
        if (!(share <= most)) {
            most = share;
            at = i;
        }
    }
    struct finding *finding =
        walk_found(walk, rule, most, d->count > 0 ? (int64_t)d->now[at]->frame : -1);
    finding_say(finding, "the bodies are %.1e apart (RMS), %.2g times what is allowed",
                d->count > 0 ? d->distance[at] : NAN, most);
    return over;
}

static void say_divergence(const struct divergence *d, char text[PART_MAX])
{
    text[0] = '\0';
    switch (d->kind) {
    case DIVERGENCE_NONE:
        snprintf(text, PART_MAX, "positions are the same, velocities or masses are not");
        break;
    case DIVERGENCE_ROUND_OFF:
        snprintf(text, PART_MAX, "it begins at %.0e of the size and grows as round-off does",
                 d->begins);
        break;
    case DIVERGENCE_EQUATIONS:
        snprintf(text, PART_MAX,
                 "changed equations from the first step: forces differ by %.0e of their size",
                 d->force);
        break;
    case DIVERGENCE_JUMP:
        snprintf(text, PART_MAX,
                 "a jump at frame %" PRId64 ", as if forces differed by %.0e of their size",
                 d->frame, d->force);
        break;
    case DIVERGENCE_UNKNOWN:
        break;
    }
}

/* Says the sentence: "body 4,211 moved 3e-4 by frame 17; a jump at frame 17, ...; energy drift
 * 1.2e-3 against 4e-5". */
static void say_change(const struct walk *walk, const struct divergence *d)
{
    char parts[3][PART_MAX] = {"", "", ""}, *sentence = memory_text("");
    if (d->simulation == 0)
        say_moved(walk, walk->stage->first_frame, parts[0], PART_MAX);
    if (!parts[0][0] && d->count > 0 && d->kind != DIVERGENCE_NONE)
        snprintf(parts[0], PART_MAX, "bodies are %.1e apart (RMS) by frame %" PRIu64,
                 d->distance[d->count - 1], d->now[d->count - 1]->frame);
    say_divergence(d, parts[1]);
    if (d->count >= 2) {
        const uint64_t last = d->count - 1;
        const double elapsed = d->before[last]->time - d->before[0]->time;
        double drift[2][STATISTICS];
        for (int now = 0; now < 2; now++)
            differ(divergence_bodies(d, 0, now), divergence_bodies(d, last, now), elapsed, d->size,
                   drift[now]);
        if (isfinite(drift[0][ENERGY]))
            snprintf(parts[2], PART_MAX, "energy drift %.1e against %.1e", drift[1][ENERGY],
                     drift[0][ENERGY]);
    }
    for (int i = 0; i < 3; i++)
        if (parts[i][0])
            text_append(&sentence, "; ", "%s", parts[i]);
    stage_say(walk->stage, "%s", sentence);
    free(sentence);
}

/* Applies limits to states of a simulation whose bits differ. */
static void judge_limits(struct walk *walk, int simulation)
{
    struct stage_report *stage = walk->stage;
    struct divergence d;
    divergence_measure(walk->before, walk->now, simulation, force_limit(walk, simulation), &d);
    judge_growth(walk, &d);
    int64_t over = judge_positions(walk, &d);
    over = judge_earlier(over, bodies_statistics(walk, &d));
    over = judge_earlier(over, d.frame);
    if (stage_has_changed(stage, 0)) {
        if (!stage->same_platform && over >= 0)
            stage->first_frame = over;
        say_change(walk, &d);
    } else {
        char text[PART_MAX];
        say_divergence(&d, text);
        if (d.horizon < 0)
            stage_say(stage, "within the limits: %s", text);
        else
            stage_say(stage,
                      "within the limits: %s; from frame %" PRId64
                      " on only statistics are compared",
                      text, d.horizon);
    }
    divergence_free(&d);
}

/* ---- the simulations of further panels ---- */

static bool has_simulation(const struct record *record, int simulation)
{
    const char *panel = record->other_panel[simulation - 1];
    return panel && panel[0];
}

/* Moves findings and sentence of one simulation to the stage, with the name of its panel. A stage
 * has one sentence: that of a simulation that changed, else that of the first. */
static void append(struct stage_report *stage, const char *panel, struct stage_report *from)
{
    const bool had_changed = stage_has_changed(stage, 0) && stage->sentence;
    if (from->sentence && (!stage->sentence || stage_has_changed(from, 0))) {
        char *before = had_changed ? text_format("%s; ", stage->sentence) : memory_text("");
        stage_say(stage, "%spanel %s: %s", before, panel, from->sentence);
        free(before);
    }
    for (uint32_t i = 0; i < from->finding_count; i++) {
        struct finding *finding = &from->findings[i], *to = stage_add_finding(stage, finding->rule);
        char *text = text_format("panel %s: %s", panel, finding->text ? finding->text : "");
        free(finding->text);
        *to = *finding;
        to->text = text;
    }
    free(from->findings);
    free(from->sentence);
}

/* Returns the first frame in which the bodies of a simulation differ in bits; -1: none. *compared:
 * whether any frame has both hashes. */
static int64_t first_other(const struct walk *walk, int simulation, bool *compared_any)
{
    struct met met;
    int64_t first = -1;
    *compared_any = false;
    for (uint64_t i = 0; first < 0 && walk_next(walk, &i, &met);) {
        const char *a = met.before->bodies[simulation].state,
                   *b = met.now->bodies[simulation].state;
        if (!*a || !*b)
            continue;
        *compared_any = true;
        first = strcmp(a, b) == 0 ? -1 : (int64_t)met.now->frame;
    }
    return first;
}

static void judge_other(struct walk *walk, int simulation)
{
    bool known;
    struct stage_report aside = {.first_frame = first_other(walk, simulation, &known),
                                 .same_platform = walk->stage->same_platform};
    struct walk other = *walk;
    other.stage = &aside;
    if (known && aside.first_frame < 0)
        return;
    judge_limits(&other, simulation);
    append(walk->stage, walk->now->other_panel[simulation - 1], &aside);
}

static void judge_others(struct walk *walk)
{
    for (int s = 1; s <= RECORD_OTHERS; s++) {
        const bool before = has_simulation(walk->before, s), now = has_simulation(walk->now, s);
        if (before && now) {
            judge_other(walk, s);
        } else if (before || now) {
            struct finding *finding =
                stage_add_finding(walk->stage, &rules[RULE_PHYSICS_POSITIONS]);
            finding->verdict = before ? VERDICT_CHANGED : VERDICT_WARNED;
            finding_say(
                finding, "panel %s: %s", (before ? walk->before : walk->now)->other_panel[s - 1],
                before ? "the film no longer has a simulation of its own there"
                       : "not compared: the baseline has no record of its bodies; record it again");
        }
    }
}

/* Returns whether the first simulation is the same by its sketches and energies, so that only
 * others differ. */
static bool first_is_same(const struct walk *walk)
{
    struct met met;
    bool same = has_simulation(walk->before, 1) && has_simulation(walk->now, 1);
    for (uint64_t i = 0; same && walk_next(walk, &i, &met);) {
        const struct bodies_record *a = &met.before->bodies[0], *b = &met.now->bodies[0];
        same = memcmp(a->sketch, b->sketch, sizeof a->sketch) == 0 &&
               a->diagnostics.kinetic == b->diagnostics.kinetic &&
               a->diagnostics.potential == b->diagnostics.potential;
    }
    return same;
}

void bodies_apart(struct walk *walk, const struct rule *rule)
{
    bool sketches = true;
    (void)rule;
    for (uint64_t i = 0; i < walk->before->count; i++)
        sketches = sketches && !isnan(walk->before->frames[i].bodies[0].sketch[0]);
    if (!walk->stage->same_platform && !sketches) {
        stage_not_judged(walk->stage,
                         "the baseline has no sketches of the positions; record it again");
        return;
    }
    if (!first_is_same(walk))
        judge_limits(walk, 0);
    judge_others(walk);
}

void bodies_series(const struct walk *walk, double *value)
{
    struct divergence d;
    divergence_measure(walk->before, walk->now, 0, force_limit(walk, 0), &d);
    for (uint64_t i = 0; i < d.count; i++)
        if (isfinite(bodies_allowed(walk, &d, i)))
            value[d.before[i] - walk->before->frames] = share_at(walk, &d, i);
    divergence_free(&d);
}

#include "cmd/regression/judge/stages.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/diagnostics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what chaos leaves unchanged ---- */

/* Measured for pairs of correct films: relative differences of the energy reach 10 times the
 * relative distance of the bodies, and of half-mass radii 24 times; at most 2.6 times the film's
 * own drift, and 6.4 / sqrt(N). */
static const double DISTANCES = 30, DRIFTS = 8, BODIES = 15;

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
    if (worst->frame < 0 || !(share <= worst->share)) {
        if (worst->frame < 0 || !isnan(worst->share))
            *worst = (struct worst){share, value, limit, frame, worst->over};
    }
}

static void add(const struct comparison *comparison, struct stage_report *stage,
                enum rule_name name, const struct worst *worst, const char *what)
{
    const struct rule *rule = &rules[name];
    if (worst->frame < 0)
        return;
    const double warn = limits_warn(comparison->limits, rule);
    struct finding *finding =
        stage_measured_within(stage, comparison->limits, rule, worst->value,
                              warn < worst->limit ? warn : worst->limit, worst->limit);
    finding->frame = worst->frame;
    finding_say(finding, "%s differ by %.1e%s%s, allowed is %.1e", what, worst->value,
                rule->unit[0] ? " " : "", rule->unit, worst->limit);
}

/* The largest change of each quantity in the film itself, from the start up to now. */
struct lost {
    double energy, momentum, angular_momentum, centre;
};

static void lose(struct lost *lost, const struct divergence *d, uint64_t i)
{
    const struct diagnostics *start = &d->before[0]->diagnostics, *at = &d->before[i]->diagnostics;
    struct drift drift;
    drift_measure(start, at, d->before[i]->time - d->before[0]->time, &drift);
    lost->energy = fmax(lost->energy, fabs(drift.energy));
    lost->momentum = fmax(lost->momentum, drift.momentum);
    lost->angular_momentum = fmax(lost->angular_momentum, drift.angular_momentum);
    lost->centre = fmax(lost->centre, drift.centre / d->size);
}

/* Returns the rule's limit plus what the distance of the bodies explains, the latter at most
 * `most`; `unit` is 100 for percentages. */
static double limit_at(const struct comparison *comparison, const struct divergence *d, uint64_t i,
                       enum rule_name name, double most, double unit)
{
    const double apart = d->resolved ? DISTANCES * d->distance[i] / d->size : most;
    return limits_fail(comparison->limits, &rules[name]) + unit * fmin(apart, most);
}

int64_t statistics_judge(const struct comparison *comparison, const struct divergence *d,
                         struct stage_report *stage)
{
    struct worst energy = {.frame = -1, .over = -1}, momentum = energy, angular = energy,
                 centre = energy, half_mass = energy;
    struct lost lost = {0};
    const double few = BODIES / sqrt((double)comparison->before->bodies);
    for (uint64_t i = 0; i < d->count; i++) {
        const struct frame_record *before = d->before[i], *now = d->now[i];
        const int64_t frame = (int64_t)now->frame;
        struct drift drift;
        drift_measure(&before->diagnostics, &now->diagnostics, 0, &drift);
        lose(&lost, d, i);
        see(&energy, fabs(drift.energy),
            limit_at(comparison, d, i, RULE_PHYSICS_ENERGY, DRIFTS * lost.energy, 1), frame);
        see(&momentum, drift.momentum,
            limit_at(comparison, d, i, RULE_PHYSICS_MOMENTUM, DRIFTS * lost.momentum, 1), frame);
        see(&angular, drift.angular_momentum,
            limit_at(comparison, d, i, RULE_PHYSICS_ANGULAR_MOMENTUM,
                     DRIFTS * lost.angular_momentum, 1),
            frame);
        see(&centre, drift.centre / d->size,
            limit_at(comparison, d, i, RULE_PHYSICS_CENTRE, DRIFTS * lost.centre, 1), frame);
        see(&half_mass, 100 * fabs(now->half_mass / before->half_mass - 1),
            limit_at(comparison, d, i, RULE_PHYSICS_HALF_MASS, few, 100), frame);
    }
    add(comparison, stage, RULE_PHYSICS_ENERGY, &energy, "the energies");
    add(comparison, stage, RULE_PHYSICS_MOMENTUM, &momentum, "the momenta");
    add(comparison, stage, RULE_PHYSICS_ANGULAR_MOMENTUM, &angular, "the angular momenta");
    add(comparison, stage, RULE_PHYSICS_CENTRE, &centre, "the centres of mass");
    add(comparison, stage, RULE_PHYSICS_HALF_MASS, &half_mass, "the half-mass radii");
    int64_t over = comparison_earlier(energy.over, momentum.over);
    over = comparison_earlier(over, comparison_earlier(angular.over, centre.over));
    return comparison_earlier(over, half_mass.over);
}

/* ---- the body that has moved farthest ---- */

static struct moved farthest(const double (*a)[3], const double (*b)[3], size_t count)
{
    struct moved out = {.frame = -1};
    for (size_t i = 0; i < count; i++) {
        const double x = a[i][0] - b[i][0], y = a[i][1] - b[i][1], z = a[i][2] - b[i][2],
                     distance = sqrt(x * x + y * y + z * z);
        if (!(distance <= out.distance)) {
            out.distance = distance;
            out.body = i + 1;
        }
        if (isnan(distance))
            break;
    }
    return out;
}

struct moved moved_most(const struct comparison *comparison, int64_t from)
{
    const struct comparison_details *details = &comparison->details;
    const struct frame_record *before, *now;
    struct moved none = {.frame = -1};
    for (uint64_t i = 0; details->positions && comparison_pair(comparison, &i, &before, &now);) {
        size_t count_a = 0, count_b = 0;
        if ((int64_t)now->frame < from)
            continue;
        const double(*a)[3] = details->positions(details->user, false, now->frame, &count_a);
        const double(*b)[3] =
            a ? details->positions(details->user, true, now->frame, &count_b) : NULL;
        if (!b || count_a != count_b)
            continue;
        struct moved most = farthest(a, b, count_a);
        most.frame = (int64_t)now->frame;
        if (most.distance > 0 || isnan(most.distance))
            return most;
    }
    return none;
}

void moved_text(const struct moved *moved, char *text, size_t size)
{
    char body[32];
    text[0] = '\0';
    if (moved->frame < 0)
        return;
    text_whole(body, sizeof body, (double)moved->body);
    if (isnan(moved->distance))
        snprintf(text, size, "body %s has no finite position by frame %" PRId64, body,
                 moved->frame);
    else
        snprintf(text, size, "body %s moved %.1e by frame %" PRId64, body, moved->distance,
                 moved->frame);
}

/* ---- how far the bodies are apart ---- */

/* Round-off starts at BEGINS of the system's size and grows by FOLDS e-folds
 * per crossing time. */
static const double BEGINS = 1e-6, FOLDS = 1.5;
static const double HORIZON = 0.1; /* of the softening */

enum { PART_MAX = 200 };

double physics_force_limit(const struct comparison *comparison)
{
    const char *scene = comparison->before->scene;
    const bool in_double = scene && strstr(scene, "\n  force: double\n");
    return limits_fail(comparison->limits,
                       &rules[in_double ? RULE_PHYSICS_FORCES_DOUBLE : RULE_PHYSICS_FORCES_FAST]);
}

double physics_allowed(const struct comparison *comparison, const struct divergence *d, uint64_t i)
{
    const double allowed = d->size * BEGINS * exp(FOLDS * d->crossings[i]);
    return d->resolved && allowed <= HORIZON * comparison->before->softening ? allowed : INFINITY;
}

static void judge_times(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    int64_t first = -1;
    double count = 0;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        if (before->time == now->time || (isnan(before->time) && isnan(now->time)))
            continue;
        count++;
        if (first < 0)
            first = (int64_t)now->frame;
    }
    struct finding *finding = comparison_measured(comparison, stage, RULE_PHYSICS_TIMES, count);
    finding->frame = first;
    if (count > 0)
        finding_say(finding, "%.0f frame%s another simulated time", count,
                    count == 1 ? " shows" : "s show");
}

static void judge_growth(const struct comparison *comparison, const struct divergence *d,
                         struct stage_report *stage)
{
    struct finding *finding = comparison_measured(comparison, stage, RULE_PHYSICS_JUMP, d->excess);
    finding->frame = d->frame;
    finding_say(finding, "the forces differ by %.1e of their size, %.2g times what round-off does",
                d->force, d->excess);
    if (d->count < 2)
        return;
    finding = comparison_measured(comparison, stage, RULE_PHYSICS_BEGINS, d->begins);
    finding->frame = (int64_t)d->now[1]->frame;
    finding_say(finding, "the bodies are %.1e of the size apart after a frame", d->begins);
}

/* Returns the first frame beyond the limit; -1: none. */
static int64_t judge_positions(const struct comparison *comparison, const struct divergence *d,
                               struct stage_report *stage)
{
    const struct rule *rule = &rules[RULE_PHYSICS_POSITIONS];
    const double limit = limits_fail(comparison->limits, rule);
    double most = 0;
    uint64_t at = 0;
    int64_t over = -1;
    for (uint64_t i = 0; i < d->count; i++) {
        const double share =
            d->distance[i] == 0 ? 0 : d->distance[i] / physics_allowed(comparison, d, i);
        if (over < 0 && !(share <= limit))
            over = (int64_t)d->now[i]->frame;
        if (!(share <= most)) {
            most = share;
            at = i;
        }
        if (isnan(share))
            break;
    }
    struct finding *finding = stage_measured(stage, comparison->limits, rule, most);
    finding->frame = d->count > 0 ? (int64_t)d->now[at]->frame : -1;
    finding_say(finding, "the bodies are %.1e apart (RMS), %.2g times what is allowed",
                d->count > 0 ? d->distance[at] : NAN, most);
    return over;
}

/* Appends a part to "a; b"; skips an empty part. */
static void add_part(char **sentence, const char *part)
{
    if (part[0])
        text_append(sentence, "; ", "%s", part);
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

static void say_energy(const struct divergence *d, char text[PART_MAX])
{
    text[0] = '\0';
    if (d->count < 2)
        return;
    const uint64_t last = d->count - 1;
    const double elapsed = d->before[last]->time - d->before[0]->time;
    struct drift before, now;
    drift_measure(&d->before[0]->diagnostics, &d->before[last]->diagnostics, elapsed, &before);
    drift_measure(&d->now[0]->diagnostics, &d->now[last]->diagnostics, elapsed, &now);
    if (isfinite(before.energy))
        snprintf(text, PART_MAX, "energy drift %.1e against %.1e", fabs(now.energy),
                 fabs(before.energy));
}

/* Writes the sentence: "body 4,211 moved 3e-4 by frame 17; a jump at frame 17, ...; energy drift
 * 1.2e-3 against 4e-5". */
static void say_change(const struct comparison *comparison, const struct divergence *d,
                       struct stage_report *stage)
{
    char *sentence = memory_text(""), part[PART_MAX];
    const struct moved moved = moved_most(comparison, stage->first_frame);
    moved_text(&moved, part, sizeof part);
    if (!part[0] && d->count > 0 && d->kind != DIVERGENCE_NONE)
        snprintf(part, sizeof part, "bodies are %.1e apart (RMS) by frame %" PRIu64,
                 d->distance[d->count - 1], d->now[d->count - 1]->frame);
    add_part(&sentence, part);
    say_divergence(d, part);
    add_part(&sentence, part);
    say_energy(d, part);
    add_part(&sentence, part);
    stage_say(stage, "%s", sentence);
    free(sentence);
}

/* Applies limits to states whose bits differ. */
static void judge_limits(const struct comparison *comparison, struct stage_report *stage)
{
    struct divergence divergence;
    divergence_measure(comparison->before, comparison->now, physics_force_limit(comparison),
                       &divergence);
    judge_growth(comparison, &divergence, stage);
    int64_t over = judge_positions(comparison, &divergence, stage);
    over = comparison_earlier(over, statistics_judge(comparison, &divergence, stage));
    over = comparison_earlier(over, divergence.frame);
    if (stage_has_changed(stage, 0)) {
        if (!stage->same_platform && over >= 0)
            stage->first_frame = over;
        say_change(comparison, &divergence, stage);
    } else {
        char text[PART_MAX];
        say_divergence(&divergence, text);
        if (divergence.horizon < 0)
            stage_say(stage, "within the limits: %s", text);
        else
            stage_say(stage,
                      "within the limits: %s; from frame %" PRId64
                      " on only statistics are compared",
                      text, divergence.horizon);
    }
    divergence_free(&divergence);
}

static bool has_sketches(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (isnan(record->frames[i].sketch[0]))
            return false;
    return true;
}

/* ---- the simulations of further panels ---- */

/* Returns a record whose first simulation is simulation `o` of the others; the caller frees its
 * frames. */
static struct record seen_as_first(const struct record *record, int o)
{
    struct record out = *record;
    out.scene = NULL; /* the scene describes the force of the first simulation */
    out.frames = memory_new((size_t)record->count, sizeof *out.frames);
    for (uint64_t i = 0; i < record->count; i++) {
        const struct bodies_record *from = &record->frames[i].others[o];
        struct frame_record *to = &out.frames[i];
        *to = record->frames[i];
        memcpy(to->state, from->state, sizeof to->state);
        memcpy(to->sketch, from->sketch, sizeof to->sketch);
        to->diagnostics = from->diagnostics;
        to->half_mass = from->half_mass;
    }
    return out;
}

static bool has_other(const struct record *record, int o)
{
    return record->other_panel[o] && record->other_panel[o][0];
}

/* Appends the findings of one simulation, with the name of its panel. */
static void append_findings(struct stage_report *stage, const char *panel,
                            struct stage_report *from)
{
    for (uint32_t i = 0; i < from->finding_count; i++) {
        struct finding *finding = &from->findings[i], *to = stage_add_finding(stage, finding->rule);
        *to = *finding;
        to->text = text_format("panel %s: %s", panel, finding->text ? finding->text : "");
        free(finding->text);
    }
    free(from->findings);
}

/* Appends the sentence of one simulation. A stage has one sentence: that of a simulation that
 * changed, else that of the first. */
static void append_sentence(struct stage_report *stage, const char *panel,
                            const struct stage_report *from, bool had_changed)
{
    if (!from->sentence || (stage->sentence && !stage_has_changed(from, 0)))
        return;
    char *before =
        had_changed && stage->sentence ? text_format("%s; ", stage->sentence) : memory_text("");
    stage_say(stage, "%spanel %s: %s", before, panel, from->sentence);
    free(before);
}

static void judge_other(const struct comparison *comparison, struct stage_report *stage, int o)
{
    const char *panel = comparison->now->other_panel[o];
    struct record before = seen_as_first(comparison->before, o),
                  now = seen_as_first(comparison->now, o);
    struct comparison other = *comparison;
    other.before = &before;
    other.now = &now;
    other.details = (struct comparison_details){0};
    const struct hash_comparison hashes =
        comparison_hashes(&other, offsetof(struct frame_record, state));
    if (hashes.compared == 0 || hashes.differing > 0) {
        struct stage_report aside = {.first_frame = hashes.first,
                                     .same_platform = stage->same_platform};
        const bool had_changed = stage_has_changed(stage, 0);
        judge_limits(&other, &aside);
        append_sentence(stage, panel, &aside, had_changed && stage->sentence);
        append_findings(stage, panel, &aside);
        free(aside.sentence);
    }
    free(before.frames);
    free(now.frames);
}

static void judge_others(const struct comparison *comparison, struct stage_report *stage)
{
    for (int o = 0; o < RECORD_OTHERS; o++) {
        const bool before = has_other(comparison->before, o), now = has_other(comparison->now, o);
        if (before && now)
            judge_other(comparison, stage, o);
        else if (before || now) {
            struct finding *finding = stage_add_finding(stage, &rules[RULE_PHYSICS_POSITIONS]);
            finding->verdict = before ? VERDICT_CHANGED : VERDICT_WARNED;
            finding_say(
                finding, "panel %s: %s",
                (before ? comparison->before : comparison->now)->other_panel[o],
                before ? "the film no longer has a simulation of its own there"
                       : "not compared: the baseline has no record of its bodies; record it again");
        }
    }
}

/* Returns whether only the other simulations differ, as far as the sums of all coordinates tell. */
static bool first_is_same(const struct comparison *comparison)
{
    const struct frame_record *before, *now;
    bool same = has_other(comparison->before, 0) && has_other(comparison->now, 0);
    for (uint64_t i = 0; same && comparison_pair(comparison, &i, &before, &now);)
        same = memcmp(before->sketch, now->sketch, sizeof now->sketch) == 0 &&
               before->diagnostics.kinetic == now->diagnostics.kinetic &&
               before->diagnostics.potential == now->diagnostics.potential;
    return same;
}

enum status judge_physics(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const struct hash_comparison hashes =
        comparison_hashes(comparison, offsetof(struct frame_record, state));
    stage->same_platform =
        comparison_same_bits(comparison, before->platform.physics, now->platform.physics);
    const bool settled =
        comparison_judge_bits(comparison, stage, &rules[RULE_PHYSICS_BITS], &hashes);
    if (hashes.compared > 0)
        judge_times(comparison, stage);
    if (settled)
        return STATUS_OK;
    if (!stage->same_platform && !has_sketches(before)) {
        stage_not_judged(stage, "the baseline lacks sketches of the positions");
        return STATUS_OK;
    }
    if (!first_is_same(comparison))
        judge_limits(comparison, stage);
    judge_others(comparison, stage);
    return STATUS_OK;
}

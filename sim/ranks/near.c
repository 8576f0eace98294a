#include "sim/ranks/near.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/gravity/tree/morton.h"
#include "sim/gravity/tree/neighbours.h"
#include "sim/ranks/cuts.h"
#include "sim/ranks/share.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    CROWD = 64,        /* bodies that look for boxes together; also the minimum in a box */
    BOXES = 65536,     /* boxes of all ranks, about */
    BOXES_LEAST = 16,  /* boxes of a rank with many bodies, at least */
    BOXES_MOST = 1024, /* of a rank */
};

/* The numbers of items that go to every rank and come from each. */
struct parts {
    size_t *out, *in, arriving;
};

/* A question of a body to a rank. A body's questions are consecutive; the first goes to its own
 * rank, whose bodies are neighbours too. */
struct question {
    uint32_t rank, place; /* place: the body's, in the order of the tree */
    size_t slot;          /* place among the questions as they are sent */
};

struct near_search {
    unsigned k;
    int threads;
    struct parts bodies, asked;
    uint32_t *slot; /* [own bodies]: places among the bodies that are sent */
    struct neighbours *neighbours;
    size_t count;         /* bodies in this rank's part; 0: no neighbours */
    float *distance;      /* [count] */
    float (*velocity)[4]; /* [count]; NULL: no dispersions are asked for */
    float *dispersion;    /* [count]; likewise */
    struct box *boxes;
    size_t *starts; /* [ranks + 1]: the first box of each rank */
    struct question *question;
    size_t questions, room;
};

static void *get_room(size_t count, size_t size, enum status *status)
{
    void *room = *status == STATUS_OK ? malloc((count + 1) * size) : NULL;
    if (*status == STATUS_OK && !room)
        *status = status_fail(
            STATUS_RUNTIME,
            "no memory for the neighbours of this rank's bodies, %zu bytes; use more ranks",
            (count + 1) * size);
    return room;
}

/* ---- parts ---- */

static void parts_open(struct parts *parts)
{
    const size_t ranks = (size_t)ranks_count();
    *parts = (struct parts){.out = memory_new(ranks, sizeof *parts->out),
                            .in = memory_new(ranks, sizeof *parts->in)};
}

static void parts_close(struct parts *parts)
{
    free(parts->out);
    free(parts->in);
}

/* The place where each rank's part begins; the caller frees it. */
static size_t *begins_of(const size_t *counts)
{
    size_t *begin = memory_new((size_t)ranks_count() + 1, sizeof *begin);
    for (int r = 0; r < ranks_count(); r++)
        begin[r + 1] = begin[r] + counts[r];
    return begin;
}

/* Collective: tells the other ranks how many items they get. */
static enum status announce(struct parts *parts, const char *what)
{
    enum status status = share_announce(parts->out, parts->in, &parts->arriving);
    for (int r = 0; r < ranks_count() && status == STATUS_OK; r++)
        if (parts->in[r] >= UINT32_MAX || parts->arriving >= UINT32_MAX)
            status = status_fail(STATUS_RUNTIME,
                                 "%s sends %zu %s, and all ranks %zu, which is too many for one "
                                 "rank; use more ranks",
                                 ranks_name(r), parts->in[r], what, parts->arriving);
    return ranks_agree(status);
}

static enum status exchange(const void *out, const size_t *out_items, void *in,
                            const size_t *in_items, size_t size)
{
    const size_t ranks = (size_t)ranks_count();
    size_t *out_bytes = memory_new(2 * ranks, sizeof *out_bytes), *in_bytes = out_bytes + ranks;
    for (size_t r = 0; r < ranks; r++) {
        out_bytes[r] = out_items[r] * size;
        in_bytes[r] = in_items[r] * size;
    }
    enum status status = ranks_exchange(out, out_bytes, in, in_bytes);
    free(out_bytes);
    return status;
}

/* ---- bodies go to their ranks ---- */

/* Finds the owners of bodies and their places among those that are sent. */
static void find_slots(struct near_search *near, const struct cuts *cuts,
                       const double (*position)[3], size_t count)
{
#pragma omp parallel for schedule(dynamic, 4096) num_threads(near->threads)
    for (size_t i = 0; i < count; i++)
        near->slot[i] = (uint32_t)cuts_owner(cuts, position[i], i);
    for (size_t i = 0; i < count; i++)
        near->bodies.out[near->slot[i]]++;
    size_t *next = begins_of(near->bodies.out);
    for (size_t i = 0; i < count; i++)
        near->slot[i] = (uint32_t)next[near->slot[i]]++;
    free(next);
}

/* Collective: each rank gets the velocities of the bodies of its part. */
static enum status gather_velocities(struct near_search *near, const float (*velocity)[4],
                                     size_t count)
{
    enum status status = STATUS_OK;
    float(*sent)[4] = get_room(count, sizeof *sent, &status);
    near->velocity = get_room(near->count, sizeof *near->velocity, &status);
    near->dispersion = get_room(near->count, sizeof *near->dispersion, &status);
    status = ranks_agree(status);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        memcpy(sent[near->slot[i]], velocity[i], sizeof *sent);
    if (status == STATUS_OK)
        status = exchange(sent, near->bodies.out, near->velocity, near->bodies.in, sizeof *sent);
    free(sent);
    return status;
}

/* Collective: each rank gets the bodies of its part, as rows; the caller frees them. */
static enum status gather_rows(struct near_search *near, const double (*position)[3], size_t count,
                               double (**rows)[4])
{
    struct cuts cuts = {0};
    double(*sent)[3] = NULL, (*arrived)[3] = NULL;
    enum status status = cuts_choose(&cuts, position, count);
    if (status == STATUS_OK) {
        near->slot = get_room(count, sizeof *near->slot, &status);
        sent = get_room(count, sizeof *sent, &status);
        status = ranks_agree(status);
    }
    if (status == STATUS_OK) {
        find_slots(near, &cuts, position, count);
        for (size_t i = 0; i < count; i++)
            memcpy(sent[near->slot[i]], position[i], sizeof *sent);
        status = announce(&near->bodies, "bodies");
    }
    near->count = near->bodies.arriving;
    if (status == STATUS_OK) {
        arrived = get_room(near->count, sizeof *arrived, &status);
        *rows = get_room(near->count, sizeof **rows, &status);
        near->distance = get_room(near->count, sizeof *near->distance, &status);
        status = ranks_agree(status);
    }
    if (status == STATUS_OK)
        status = exchange(sent, near->bodies.out, arrived, near->bodies.in, sizeof *sent);
    for (size_t i = 0; i < near->count && status == STATUS_OK; i++) {
        memcpy((*rows)[i], arrived[i], sizeof *arrived);
        (*rows)[i][3] = 0;
    }
    cuts_close(&cuts);
    free(sent);
    free(arrived);
    return status;
}

/* Collective: finds the nearest neighbours within each rank's part. */
static enum status search_own(struct near_search *near, const double (*position)[3], size_t count)
{
    double(*rows)[4] = NULL;
    enum status status = gather_rows(near, position, count, &rows);
    if (status == STATUS_OK && near->count > 0)
        status = neighbours_open(&near->neighbours, near->count, near->k);
    if (status == STATUS_OK && near->count > 0)
        status = neighbours_find(near->neighbours, (const double(*)[4])rows, near->threads,
                                 near->distance, NULL);
    free(rows);
    return ranks_agree(status);
}

/* ---- boxes ---- */

static size_t boxes_most(void)
{
    const size_t most = BOXES / (size_t)ranks_count();
    return most < BOXES_LEAST ? BOXES_LEAST : most < BOXES_MOST ? most : BOXES_MOST;
}

static struct box box_around(const double (*rows)[4], size_t count)
{
    struct box box = BOX_EMPTY;
    for (size_t i = 0; i < count; i++)
        box_add(&box, rows[i], rows[i]);
    return box;
}

/* Collective: gives every rank the boxes that contain the bodies of all ranks. */
static enum status gather_boxes(struct near_search *near)
{
    const size_t ranks = (size_t)ranks_count(), most = boxes_most();
    const size_t even = (near->count + most - 1) / most, block = even > CROWD ? even : CROWD;
    const size_t own = (near->count + block - 1) / block;
    const uint32_t *body;
    const double(*rows)[4] = near->count > 0 ? neighbours_rows(near->neighbours, &body) : NULL;
    size_t *bytes = memory_new(2 * ranks, sizeof *bytes), *boxes = bytes + ranks;
    struct box *mine = memory_new(own, sizeof *mine);
    for (size_t b = 0, at = 0; b < own; b++, at += block)
        mine[b] = box_around(rows + at, near->count - at < block ? near->count - at : block);
    enum status status = ranks_gather_each(&own, boxes, sizeof own);
    for (size_t r = 0; r < ranks && status == STATUS_OK; r++) {
        if (boxes[r] > most)
            status = status_fail(STATUS_RUNTIME, "%s has %zu boxes of bodies, more than %zu",
                                 ranks_name((int)r), boxes[r], most);
        bytes[r] = boxes[r] * sizeof *mine;
    }
    if (status == STATUS_OK) {
        near->starts = begins_of(boxes);
        near->boxes = memory_new(near->starts[ranks], sizeof *near->boxes);
        status = ranks_gather(mine, near->boxes, bytes);
    }
    free(bytes);
    free(mine);
    return status;
}

/* ---- questions ---- */

/* A crowd of bodies that are close together, and the boxes of other ranks near them. */
struct crowd {
    const double (*rows)[4];
    const uint32_t *body;
    size_t first, end;
    struct box *whole; /* [ranks]: around all boxes of each */
    uint32_t *box, *rank;
    size_t boxes;
};

/* An upper bound on the radius that was rounded to this distance. */
static double radius_of(float distance)
{
    return (double)nextafterf(distance, INFINITY);
}

/* Whether a box is within `radius` of another box, or of a point at low == high. */
static bool is_within(const struct box *box, const double low[3], const double high[3],
                      double radius)
{
    return box_square(box, low, high) <= radius * radius;
}

static void find_boxes(const struct near_search *near, struct crowd *crowd)
{
    const struct box box = box_around(crowd->rows + crowd->first, crowd->end - crowd->first);
    float farthest = 0;
    for (size_t i = crowd->first; i < crowd->end; i++)
        farthest = fmaxf(farthest, near->distance[crowd->body[i]]);
    const double radius = radius_of(farthest);
    crowd->boxes = 0;
    for (int r = 0; r < ranks_count(); r++) {
        if (r == ranks_own() || !is_within(crowd->whole + r, box.low, box.high, radius))
            continue;
        for (size_t b = near->starts[r]; b < near->starts[r + 1]; b++)
            if (is_within(near->boxes + b, box.low, box.high, radius)) {
                crowd->rank[crowd->boxes] = (uint32_t)r;
                crowd->box[crowd->boxes++] = (uint32_t)b;
            }
    }
}

static enum status add_question(struct near_search *near, uint32_t rank, size_t place)
{
    if (near->questions == near->room) {
        const size_t room = near->room + near->room / 2 + 1024;
        struct question *question = realloc(near->question, room * sizeof *question);
        if (!question)
            return status_fail(STATUS_RUNTIME,
                               "no memory for %zu questions about neighbours, %zu bytes; use more "
                               "ranks",
                               room, room * sizeof *question);
        near->question = question;
        near->room = room;
    }
    near->question[near->questions++] = (struct question){rank, (uint32_t)place, 0};
    return STATUS_OK;
}

/* Adds the questions of the body at a place in the tree's order. A body whose k neighbours are all
 * at its own position asks no rank. */
static enum status ask_for(struct near_search *near, const struct crowd *crowd, size_t place)
{
    const float distance = near->distance[crowd->body[place]];
    const double *at = crowd->rows[place], radius = radius_of(distance);
    const uint32_t own = (uint32_t)ranks_own();
    enum status status = STATUS_OK;
    uint32_t last = own;
    for (size_t b = 0; b < crowd->boxes && distance > 0 && status == STATUS_OK; b++) {
        const uint32_t rank = crowd->rank[b];
        if (rank == last || !is_within(near->boxes + crowd->box[b], at, at, radius))
            continue;
        if (last == own)
            status = add_question(near, own, place);
        if (status == STATUS_OK)
            status = add_question(near, rank, place);
        last = rank;
    }
    return status;
}

static enum status find_questions(struct near_search *near)
{
    const size_t ranks = (size_t)ranks_count(), all = near->starts[ranks];
    struct crowd crowd = {.whole = memory_new(ranks, sizeof *crowd.whole),
                          .box = memory_new(all, sizeof *crowd.box),
                          .rank = memory_new(all, sizeof *crowd.rank)};
    enum status status = STATUS_OK;
    for (size_t r = 0; r < ranks; r++) {
        crowd.whole[r] = BOX_EMPTY;
        for (size_t b = near->starts[r]; b < near->starts[r + 1]; b++)
            box_add(crowd.whole + r, near->boxes[b].low, near->boxes[b].high);
    }
    if (near->count > 0)
        crowd.rows = neighbours_rows(near->neighbours, &crowd.body);
    for (size_t first = 0; first < near->count && status == STATUS_OK; first = crowd.end) {
        crowd.first = first;
        crowd.end = first + CROWD < near->count ? first + CROWD : near->count;
        find_boxes(near, &crowd);
        for (size_t i = first; i < crowd.end && crowd.boxes > 0 && status == STATUS_OK; i++)
            status = ask_for(near, &crowd, i);
    }
    free(crowd.whole);
    free(crowd.box);
    free(crowd.rank);
    return status;
}

/* Collective: sends the questions, in the order of the ranks that are asked, and returns those that
 * arrived. */
static void *trade_questions(struct near_search *near, const void *sent, size_t size,
                             const char *what, enum status *status)
{
    void *arrived = NULL;
    *status = announce(&near->asked, what);
    if (*status == STATUS_OK) {
        arrived = get_room(near->asked.arriving, size, status);
        *status = ranks_agree(*status);
    }
    if (*status == STATUS_OK)
        *status = exchange(sent, near->asked.out, arrived, near->asked.in, size);
    return arrived;
}

/* Collective: sends the questions, as spheres, to the ranks that are asked; the caller frees those
 * that arrived. */
static enum status send_questions(struct near_search *near, struct neighbours_sphere **arrived)
{
    struct neighbours_sphere *sent = NULL;
    enum status status = find_questions(near);
    for (size_t q = 0; q < near->questions; q++)
        near->asked.out[near->question[q].rank]++;
    sent = get_room(near->questions, sizeof *sent, &status);
    status = ranks_agree(status);
    if (status == STATUS_OK) {
        size_t *next = begins_of(near->asked.out);
        const uint32_t *body = NULL;
        const double(*rows)[4] = near->count > 0 ? neighbours_rows(near->neighbours, &body) : NULL;
        for (size_t q = 0; q < near->questions; q++) {
            struct question *question = near->question + q;
            question->slot = next[question->rank]++;
            memcpy(sent[question->slot].centre, rows[question->place],
                   sizeof sent[question->slot].centre);
            sent[question->slot].radius = radius_of(near->distance[body[question->place]]);
        }
        free(next);
        *arrived = trade_questions(near, sent, sizeof *sent, "questions about neighbours", &status);
    }
    free(sent);
    return status;
}

/* ---- answers ---- */

/* Squared distances that answer questions. */
struct answers {
    uint8_t *found; /* [questions]: how many of each */
    double *square;
};

static void answers_close(struct answers *answers)
{
    free(answers->found);
    free(answers->square);
}

/* Answers the questions that have arrived; the answers' squares are stored without gaps. */
static enum status answer(const struct near_search *near, const struct neighbours_sphere *sphere,
                          struct answers *answers)
{
    const size_t count = near->asked.arriving;
    enum status status = STATUS_OK;
    answers->found = get_room(count, sizeof *answers->found, &status);
    answers->square = get_room(count * near->k, sizeof *answers->square, &status);
    if (status != STATUS_OK)
        return status;
    memset(answers->found, 0, count);
    if (near->count > 0)
        neighbours_within(near->neighbours, sphere, count, near->threads, answers->square,
                          answers->found);
    size_t at = 0;
    for (size_t q = 0; q < count; at += answers->found[q++])
        memmove(answers->square + at, answers->square + q * near->k,
                answers->found[q] * sizeof *answers->square);
    return STATUS_OK;
}

/* Adds up each rank's squares in the answers. STATUS_RUNTIME if an answer has more than k. */
static enum status count_squares(const struct near_search *near, const uint8_t *found,
                                 const size_t *questions, size_t *squares)
{
    for (int r = 0; r < ranks_count(); r++)
        for (size_t q = 0; q < questions[r]; q++, found++) {
            if (*found > near->k)
                return status_fail(STATUS_RUNTIME,
                                   "%s answers with %u neighbours instead of at most %u",
                                   ranks_name(r), *found, near->k);
            squares[r] += *found;
        }
    return STATUS_OK;
}

/* Collective: sends the answers back to the ranks that asked. */
static enum status send_answers(struct near_search *near, const struct answers *own,
                                struct answers *arrived)
{
    struct parts squares;
    enum status status = STATUS_OK;
    parts_open(&squares);
    arrived->found = get_room(near->questions, sizeof *arrived->found, &status);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = exchange(own->found, near->asked.in, arrived->found, near->asked.out, 1);
    if (status == STATUS_OK) {
        status = count_squares(near, own->found, near->asked.in, squares.out);
        if (status == STATUS_OK)
            status = count_squares(near, arrived->found, near->asked.out, squares.in);
        for (int r = 0; r < ranks_count(); r++)
            squares.arriving += squares.in[r];
        arrived->square = get_room(squares.arriving, sizeof *arrived->square, &status);
        status = ranks_agree(status);
    }
    if (status == STATUS_OK)
        status = exchange(own->square, squares.out, arrived->square, squares.in,
                          sizeof *arrived->square);
    parts_close(&squares);
    return status;
}

/* Merges `found` squares into the `count` in `best`, keeping the k smallest; both ascend. */
static unsigned merge_squares(double *best, unsigned count, const double *square, unsigned found,
                              unsigned k)
{
    for (unsigned n = 0; n < found && (count < k || square[n] < best[k - 1]); n++) {
        unsigned at = count < k ? count++ : k - 1;
        for (; at > 0 && best[at - 1] > square[n]; at--)
            best[at] = best[at - 1];
        best[at] = square[n];
    }
    return count;
}

/* Replaces a body's distance where other ranks have nearer neighbours. In the answer of the body's
 * own rank, the first square, 0, is that of the body itself. */
static void take_answers(struct near_search *near, const struct answers *answers)
{
    size_t *begin = memory_new(near->questions + 1, sizeof *begin);
    const uint32_t *body = NULL;
    if (near->count > 0)
        (void)neighbours_rows(near->neighbours, &body);
    for (size_t q = 0; q < near->questions; q++)
        begin[q + 1] = begin[q] + answers->found[q];
    for (size_t q = 0, next; q < near->questions; q = next) {
        double best[NEIGHBOURS_MOST];
        unsigned count = 0;
        for (next = q;
             next < near->questions && near->question[next].place == near->question[q].place;
             next++) {
            const size_t slot = near->question[next].slot;
            const unsigned self = next == q && answers->found[slot] > 0;
            count = merge_squares(best, count, answers->square + begin[slot] + self,
                                  answers->found[slot] - self, near->k);
        }
        float *distance = near->distance + body[near->question[q].place];
        if (count == near->k)
            *distance = fminf(*distance, (float)sqrt(best[count - 1]));
    }
    free(begin);
}

/* Collective: looks for nearer neighbours on other ranks. */
static enum status search_others(struct near_search *near)
{
    struct neighbours_sphere *sphere = NULL;
    struct answers own = {0}, arrived = {0};
    enum status status = gather_boxes(near);
    if (status == STATUS_OK)
        status = send_questions(near, &sphere);
    if (status == STATUS_OK)
        status = ranks_agree(answer(near, sphere, &own));
    free(sphere);
    if (status == STATUS_OK)
        status = send_answers(near, &own, &arrived);
    if (status == STATUS_OK)
        take_answers(near, &arrived);
    answers_close(&own);
    answers_close(&arrived);
    return status;
}

/* ---- dispersions ---- */

/* A body that asks another rank for the sums over its neighbours there. */
struct spread_question {
    double from[3], square;
    float own[4];
};

static double square_of(float distance)
{
    const double away = distance;
    return away * away;
}

/* The sums over the neighbours in this rank's part, [near->count]. */
static enum status spread_here(const struct near_search *near, struct neighbours_spread **out)
{
    enum status status = STATUS_OK;
    struct neighbours_spread *sums = *out = get_room(near->count, sizeof *sums, &status);
    const uint32_t *body = NULL;
    if (status != STATUS_OK || near->count == 0)
        return status;
    const double(*rows)[4] = neighbours_rows(near->neighbours, &body);
#pragma omp parallel for schedule(dynamic, CROWD) num_threads(near->threads)
    for (size_t i = 0; i < near->count; i++) {
        const uint32_t own = body[i];
        sums[own] = (struct neighbours_spread){0};
        neighbours_add_spread(near->neighbours, (const float(*)[4])near->velocity, rows[i],
                              square_of(near->distance[own]), near->velocity[own], &sums[own]);
    }
    return STATUS_OK;
}

/* Collective: sends the questions about sums; those to the own rank are answered already. */
static enum status ask_spreads(struct near_search *near, struct spread_question **arrived)
{
    const size_t ranks = (size_t)ranks_count();
    struct spread_question *sent = NULL;
    memset(near->asked.out, 0, ranks * sizeof *near->asked.out);
    near->questions = 0;
    enum status status = find_questions(near);
    size_t kept = 0;
    for (size_t q = 0; q < near->questions; q++)
        if (near->question[q].rank != (uint32_t)ranks_own()) {
            near->asked.out[near->question[q].rank]++;
            near->question[kept++] = near->question[q];
        }
    near->questions = kept;
    sent = get_room(kept, sizeof *sent, &status);
    status = ranks_agree(status);
    if (status == STATUS_OK) {
        size_t *next = begins_of(near->asked.out);
        const uint32_t *body = NULL;
        const double(*rows)[4] = near->count > 0 ? neighbours_rows(near->neighbours, &body) : NULL;
        for (size_t q = 0; q < kept; q++) {
            struct question *question = near->question + q;
            const uint32_t own = body[question->place];
            struct spread_question *to = sent + (question->slot = next[question->rank]++);
            memcpy(to->from, rows[question->place], sizeof to->from);
            memcpy(to->own, near->velocity[own], sizeof to->own);
            to->square = square_of(near->distance[own]);
        }
        free(next);
        *arrived = trade_questions(near, sent, sizeof *sent, "questions about velocities", &status);
    }
    free(sent);
    return status;
}

/* Collective: sends the sums to the ranks that asked; the caller frees those that arrived. */
static enum status answer_spreads(const struct near_search *near,
                                  const struct spread_question *asked,
                                  struct neighbours_spread **arrived)
{
    const size_t count = near->asked.arriving;
    enum status status = STATUS_OK;
    struct neighbours_spread *sent = get_room(count, sizeof *sent, &status);
    *arrived = get_room(near->questions, sizeof **arrived, &status);
    status = ranks_agree(status);
#pragma omp parallel for schedule(dynamic, CROWD) num_threads(near->threads)
    for (size_t q = 0; q < (status == STATUS_OK ? count : 0); q++) {
        sent[q] = (struct neighbours_spread){0};
        if (near->count > 0)
            neighbours_add_spread(near->neighbours, (const float(*)[4])near->velocity,
                                  asked[q].from, asked[q].square, asked[q].own, &sent[q]);
    }
    if (status == STATUS_OK)
        status = exchange(sent, near->asked.in, *arrived, near->asked.out, sizeof *sent);
    free(sent);
    return status;
}

/* Adds the sums of another rank to a body's own. */
static void add_spread(struct neighbours_spread *to, const struct neighbours_spread *from)
{
    to->count += from->count;
    to->squares += from->squares;
    for (int a = 0; a < 3; a++)
        to->sum[a] += from->sum[a];
}

/* Collective: finds the dispersions, when the distances are known. */
static enum status find_dispersions(struct near_search *near)
{
    struct neighbours_spread *sums = NULL, *others = NULL;
    struct spread_question *asked = NULL;
    const uint32_t *body = NULL;
    enum status status = ranks_agree(spread_here(near, &sums));
    if (status == STATUS_OK)
        status = ask_spreads(near, &asked);
    if (status == STATUS_OK)
        status = answer_spreads(near, asked, &others);
    if (status == STATUS_OK && near->count > 0)
        (void)neighbours_rows(near->neighbours, &body);
    for (size_t q = 0; q < near->questions && status == STATUS_OK; q++)
        add_spread(&sums[body[near->question[q].place]], &others[near->question[q].slot]);
    for (size_t i = 0; i < near->count && status == STATUS_OK; i++)
        near->dispersion[i] = neighbours_spread_dispersion(&sums[i]);
    free(sums);
    free(others);
    free(asked);
    return status;
}

/* ---- the way back ---- */

/* Collective: sends numbers of bodies back to the ranks that the bodies came from. */
static enum status send_back(const struct near_search *near, const float *from, size_t count,
                             float *to)
{
    enum status status = STATUS_OK;
    float *back = get_room(count, sizeof *back, &status);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = exchange(from, near->bodies.in, back, near->bodies.out, sizeof *back);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        to[i] = back[near->slot[i]];
    free(back);
    return status;
}

enum status ranks_near_find(const double (*position)[3], const float (*velocity)[4], size_t count,
                            unsigned k, int threads, float *distance, float *dispersion)
{
    struct near_search near = {.k = k, .threads = threads};
    parts_open(&near.bodies);
    parts_open(&near.asked);
    enum status status = search_own(&near, position, count);
    if (status == STATUS_OK)
        status = search_others(&near);
    if (status == STATUS_OK)
        status = send_back(&near, near.distance, count, distance);
    if (status == STATUS_OK && dispersion)
        status = gather_velocities(&near, velocity, count);
    if (status == STATUS_OK && dispersion)
        status = find_dispersions(&near);
    if (status == STATUS_OK && dispersion)
        status = send_back(&near, near.dispersion, count, dispersion);
    parts_close(&near.bodies);
    parts_close(&near.asked);
    neighbours_close(&near.neighbours);
    free(near.slot);
    free(near.distance);
    free(near.velocity);
    free(near.dispersion);
    free(near.boxes);
    free(near.starts);
    free(near.question);
    return status;
}

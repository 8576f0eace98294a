/* The pulls of listed leaves, body by body. Compiled once per instruction set, and again with
 * KERNEL_SPLINE for spline softening. */
#include "kernels/tree/tree.h"
#include "kernels/tree/tree_lanes.h"

enum {
    BUFFER = 1024, /* source bodies per strip */
    ROWS = 4,      /* target bodies per step */
};

/* Whether the estimate of a root is good enough for rough pulls. */
#ifdef KERNEL_SPLINE
enum { ROUGH = 0 };
#else
enum { ROUGH = ESTIMATE_TERMS == 1 };
#endif

_Static_assert((int)BUFFER % TREE_LANES == 0 && (int)TREE_LANES % LANES == 0, "whole vectors");

#ifdef KERNEL_SPLINE
#define OF_SOFTENING(name) OF_ISA(name##_spline)

static inline lanes spline_root(lanes x)
{
    return inverse_root(x);
}

#define SPLINE_REAL         float
#define SPLINE_FMA(a, b, c) ((a) * (b) + (c))
#define SPLINE_CONST(x)     ((float)(x) - (lanes){0})
#include "kernels/spline_lanes.h"

#else
#define OF_SOFTENING(name) OF_ISA(name)

void OF_ISA(tree_approach)(const struct tree_place *places, uint32_t sink, size_t count,
                           uint32_t *list, float *const shift[3])
{
    const struct tree_place *b = places + sink;
    for (int l = 0; l < TREE_LANES; l++)
        list[count + (size_t)l] = sink;
    for (size_t i = 0; i < count; i += LANES) {
        lanes at[16];
        transpose(places->hi, sizeof *places / sizeof(float), list + i, at);
        for (int c = 0; c < 3; c++)
            store(shift[c] + i, (at[HI + c] - b->hi[c]) + (at[LO + c] - b->lo[c]));
    }
}

#endif

struct strip {
    float x[BUFFER + TREE_LANES], y[BUFFER + TREE_LANES], z[BUFFER + TREE_LANES];
    float mass[BUFFER + TREE_LANES], half[BUFFER + TREE_LANES];
};

/* Bodies that are copied at a time: most leaves have no more than eight, and a wider store, which
 * seldom is aligned, takes twice as long. */
enum { COPIED = LANES < 8 ? LANES : 8 };

typedef float copied __attribute__((vector_size(COPIED * sizeof(float))));

static inline copied take(const float *from)
{
    copied vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

static inline void put(float *to, copied vector)
{
    memcpy(to, &vector, sizeof vector);
}

/* Copies `count` bodies to the end of a strip, relative to the sink's centre. */
static inline void append(struct strip *strip, size_t end, const struct tree_bodies *bodies,
                          size_t first, size_t count, const float shift[3], float zoom)
{
    for (size_t i = 0; i < count; i += COPIED) {
        size_t at = first + i, to = end + i;
        put(strip->x + to, (take(bodies->x + at) + shift[0]) * zoom);
        put(strip->y + to, (take(bodies->y + at) + shift[1]) * zoom);
        put(strip->z + to, (take(bodies->z + at) + shift[2]) * zoom);
        put(strip->mass + to, take(bodies->mass + at));
        if (bodies->half)
            put(strip->half + to, take(bodies->half + at) * (zoom * zoom));
    }
}

/* Computes the pull of a strip on `rows` bodies from `first` on. A body's result does not depend on
 * the other bodies in the step. rough: with the estimate of the root as it is. */
static inline __attribute__((always_inline)) void
meet(const struct strip *strip, size_t count, const struct tree_bodies *bodies, size_t first,
     int rows, struct tree_pulling how, bool mixed, bool potential, bool rough, float *const out[4],
     size_t to)
{
    const float zoom = how.zoom;
    float tx[ROWS], ty[ROWS], tz[ROWS], th[ROWS];
    lanes ax[ROWS], ay[ROWS], az[ROWS], phi[ROWS];
#pragma GCC unroll 4
    for (int k = 0; k < rows; k++) {
        const size_t at = first + (size_t)k;
        tx[k] = bodies->x[at] * zoom;
        ty[k] = bodies->y[at] * zoom;
        tz[k] = bodies->z[at] * zoom;
        th[k] = (mixed ? bodies->half[at] : how.softening2) * (zoom * zoom);
        ax[k] = ay[k] = az[k] = phi[k] = (lanes){0};
    }
    for (size_t j = 0; j < count; j += LANES) {
        lanes x = load(strip->x + j), y = load(strip->y + j), z = load(strip->z + j);
        lanes m = load(strip->mass + j);
        lanes h = mixed ? load(strip->half + j) : m;
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            lanes dx = x - tx[k], dy = y - ty[k], dz = z - tz[k];
#ifdef KERNEL_SPLINE
            lanes half = spline_larger(h, m * 0 + th[k]), r2 = dx * dx;
#else
            lanes r2 = dx * dx + (mixed ? h + th[k] : m * 0 + th[k]);
#endif
            r2 += dy * dy;
            r2 += dz * dz;
            lanes e = lanes_rsqrt_estimate(r2), e2 = e * e, defect = r2 * e2;
            if (potential) {
#ifdef KERNEL_SPLINE
                phi[k] += m * spline_phi(r2, half, e * (1.5f - 0.5f * defect));
#else
                phi[k] += m * e * (1.5f - 0.5f * defect);
#endif
            } else {
#ifdef KERNEL_SPLINE
                lanes pull = m * spline_pull(r2, half, (5.0f / 3 - defect) * (e * e2), 2.0f / 3);
#else
                lanes pull = rough ? e * e2 * m : (5.0f / 3 - defect) * (e * e2) * m;
#endif
                ax[k] += pull * dx;
                ay[k] += pull * dy;
                az[k] += pull * dz;
            }
        }
    }
#pragma GCC unroll 4
    for (int k = 0; k < rows; k++)
        if (potential) {
            out[3][to + (size_t)k] += sum_of(phi[k]) * zoom;
        } else {
            const float factor = (rough ? 1 : 1.5f) * zoom * zoom;
            out[0][to + (size_t)k] += sum_of(ax[k]) * factor;
            out[1][to + (size_t)k] += sum_of(ay[k]) * factor;
            out[2][to + (size_t)k] += sum_of(az[k]) * factor;
        }
}

static inline __attribute__((always_inline)) void
meet_all(const struct strip *strip, size_t count, const struct tree_bodies *bodies,
         struct tree_run sink, struct tree_pulling how, bool mixed, bool potential, bool rough,
         float *const out[4])
{
#define MEET(rows)                                                                                 \
    meet(strip, count, bodies, sink.first + i, rows, how, mixed, potential, rough, out, i)
    size_t i = 0;
    for (; i + ROWS <= sink.count; i += ROWS)
        MEET(ROWS);
    switch (sink.count - i) {
    case 3:
        MEET(3);
        break;
    case 2:
        MEET(2);
        break;
    case 1:
        MEET(1);
        break;
    default:
        break;
    }
#undef MEET
}

static void meet_any(const struct strip *strip, size_t count, const struct tree_bodies *bodies,
                     struct tree_run sink, struct tree_pulling how, float *const out[4])
{
    if (bodies->half && how.potential)
        meet_all(strip, count, bodies, sink, how, true, true, false, out);
    else if (bodies->half && how.rough && ROUGH)
        meet_all(strip, count, bodies, sink, how, true, false, ROUGH, out);
    else if (bodies->half)
        meet_all(strip, count, bodies, sink, how, true, false, false, out);
    else if (how.potential)
        meet_all(strip, count, bodies, sink, how, false, true, false, out);
    else if (how.rough && ROUGH)
        meet_all(strip, count, bodies, sink, how, false, false, ROUGH, out);
    else
        meet_all(strip, count, bodies, sink, how, false, false, false, out);
}

void OF_SOFTENING(tree_pull)(const struct tree_bodies *bodies, struct tree_run sink, size_t runs,
                             const struct tree_run *run, const float *const shift[3],
                             struct tree_pulling how, float *const out[4])
{
    struct strip strip;
    size_t end = 0;
    for (size_t r = 0; r < runs; r++) {
        const float away[3] = {shift[0][r], shift[1][r], shift[2][r]};
        for (size_t done = 0; done < run[r].count;) {
            size_t left = run[r].count - done, space = BUFFER - end;
            size_t part = left < space ? left : space;
            append(&strip, end, bodies, run[r].first + done, part, away, how.zoom);
            done += part;
            end += part;
            if (end == BUFFER) {
                meet_any(&strip, end, bodies, sink, how, out);
                end = 0;
            }
        }
    }
    if (end == 0)
        return;
    for (size_t j = end; j < end + LANES; j++) { /* the rest of the vector gets mass 0 */
        strip.x[j] = strip.x[end - 1];
        strip.y[j] = strip.y[end - 1];
        strip.z[j] = strip.z[end - 1];
        strip.half[j] = bodies->half ? strip.half[end - 1] : 0;
        strip.mass[j] = 0;
    }
    meet_any(&strip, end, bodies, sink, how, out);
}

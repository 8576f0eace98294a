/* A rank's stretch on a CUDA device: its bodies, which stay there, and its part of the tree.
 *
 * These functions do what curve.c, top.c, demand.c, partial.c and
 * sim/gravity/exact_tree/exact_gravity.c do on the processors with a share. None is collective, so
 * ranks with and without a device work together. Pointers are to host memory. What a function
 * returns by pointer belongs to the device, and is valid until the next call of that function.
 * STATUS_RUNTIME: CUDA fails, or there is no memory. */
#pragma once

#include "base/status.h"
#include "kernels/exact_tree/exact_cells.h"
#include "kernels/exact_tree/stretch.h"
#include "kernels/exact_tree/walk.h"

struct curve;
struct demands;
struct offers;
struct partial_parts;
struct top;
struct top_branch;

struct stretch_device {
    const struct stretch_device_ops *ops;
    size_t count; /* bodies */
    char name[128];
};

struct stretch_survey {
    double low[3], high[3]; /* bounds of the positions; INFINITY, -INFINITY: no body */
    double half_low, half_high;
    bool spoilt; /* a position is not finite */
    struct exact_tree_census census;
};

struct stretch_device_ops {
    void (*close)(struct stretch_device **device);

    /* load replaces all bodies; save copies all bodies out. */
    enum status (*load)(struct stretch_device *device, const struct share_body *body, size_t count);
    enum status (*save)(struct stretch_device *device, struct share_body *out);
    enum status (*kick)(struct stretch_device *device, double dt);
    enum status (*drift)(struct stretch_device *device, double dt);
    enum status (*damp)(struct stretch_device *device, double factor);
    enum status (*keep)(struct stretch_device *device);
    enum status (*restore)(struct stretch_device *device);
    enum status (*largest)(struct stretch_device *device, double *square);
    enum status (*broken)(struct stretch_device *device, size_t *first);

    /* Page-locked memory for the bodies that arrive. */
    enum status (*inbox)(struct stretch_device *device, size_t bytes, void **out);

    /* sample: the bits of the positions of bodies 0, step, 2 step, ..., three numbers for each; the
     * places of other ranks' bodies are left unchanged. */
    enum status (*survey)(struct stretch_device *device, size_t step, uint64_t *sample,
                          size_t samples, struct stretch_survey *out);
    enum status (*sort)(struct stretch_device *device, const struct exact_tree_frame *frame);
    enum status (*samples)(struct stretch_device *device, double rate, size_t wanted,
                           struct curve_sample *out);
    enum status (*cut)(struct stretch_device *device, const uint64_t *splitters, size_t *cuts);
    /* Removes the bodies before `from` and those from `from + stay` on. */
    enum status (*take)(struct stretch_device *device, size_t from, size_t stay,
                        const struct share_body **leaving);
    /* Merges the bodies that stay and those that arrived; the first `skip` of the result leave.
     * most: upper bound on the number of bodies after append. */
    enum status (*merge)(struct stretch_device *device, const struct share_body *arrived,
                         size_t count, size_t skip, size_t most, const struct share_body **leaving);
    enum status (*append)(struct stretch_device *device, const struct share_body *arrived,
                          size_t count);
    /* ends: the first and the last key. cuts [TOP_CUTS_MOST]: in any order, possibly repeated. */
    enum status (*edge)(struct stretch_device *device, uint32_t start, uint64_t ends[2],
                        struct top_cut *cuts, uint32_t *found);

    enum status (*fill)(struct stretch_device *device, const struct curve *curve,
                        const struct top *top);
    /* Writes the rank's own branches in the form in which they are sent. */
    enum status (*branches)(struct stretch_device *device, const struct top *top, char *to,
                            size_t bytes);
    /* census: gives holds from accelerations; NULL: the rule holds for all bodies. */
    enum status (*demands)(struct stretch_device *device, const struct exact_tree_rule *rule,
                           const struct exact_tree_census *census, struct demand **list,
                           uint64_t *count);
    enum status (*offer)(struct stretch_device *device, const struct demands *demands,
                         const struct exact_tree_rule *rule, double margin, const struct top *top,
                         struct offers *offers);
    enum status (*build)(struct stretch_device *device, const struct curve *curve,
                         const struct top *top, const struct partial_parts *parts);
    enum status (*walk)(struct stretch_device *device, const struct exact_tree_rule *rule,
                        const struct exact_tree_census *census, bool potential,
                        struct exact_tree_work *work, double *cost);
    /* Gives the bodies the accelerations of the last walk; spoilt: NaN instead. */
    enum status (*finish)(struct stretch_device *device, bool spoilt);
    /* Copies out the potentials of the last walk. */
    enum status (*potentials)(struct stretch_device *device, double *out);
    size_t (*foreign)(const struct stretch_device *device);
};

/* number: of the device on this host. STATUS_DEVICE: it does not run, or this program was built
 * without CUDA. */
enum status stretch_device_open(struct stretch_device **out, int number, size_t total, bool mixed);

/* The size of a branch as it is sent (stretches.c). */
size_t stretch_branch_bytes(const struct top_branch *branch);

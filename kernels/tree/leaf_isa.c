/* The bodies of cells, four rows at a time in double: their centre, their places relative to it and
 * how far they reach. Compiled once per instruction set. */
#include "kernels/tree/tree.h"
#include "kernels/tree/tree_lanes.h"

typedef double quad __attribute__((vector_size(4 * sizeof(double))));
typedef int64_t quad_int __attribute__((vector_size(4 * sizeof(int64_t))));
typedef float quad_float __attribute__((vector_size(4 * sizeof(float))));

/* Four bodies: places in the tree's units, masses in those of the rows. Places beyond the last body
 * repeat it, without mass. */
struct four {
    quad at[3], mass;
};

static inline __attribute__((always_inline)) void load_four(const double (*rows)[4], size_t i,
                                                            size_t count,
                                                            const struct tree_frame *frame,
                                                            struct four *four)
{
    const size_t left = count - i;
    const double *a = rows[i], *b = left > 1 ? rows[i + 1] : a, *c = left > 2 ? rows[i + 2] : b,
                 *d = left > 3 ? rows[i + 3] : c;
    for (int k = 0; k < 3; k++)
        four->at[k] = ((quad){a[k], b[k], c[k], d[k]} - frame->origin[k]) * frame->scale;
    four->mass = (quad){a[3], left > 1 ? b[3] : 0, left > 2 ? c[3] : 0, left > 3 ? d[3] : 0};
}

/* A bound lane by lane; vectors are not passed by value, which needs AVX. */
static inline __attribute__((always_inline)) void raise_to(quad *most, const quad *x)
{
    const quad_int first = *x > *most;
    *most = (quad)((first & (quad_int)*x) | (~first & (quad_int)*most));
}

static inline double sum_of_four(const quad *x)
{
    return ((*x)[0] + (*x)[2]) + ((*x)[1] + (*x)[3]);
}

static inline double largest_of_four(const quad *x)
{
    const double a = (*x)[0] > (*x)[2] ? (*x)[0] : (*x)[2];
    const double b = (*x)[1] > (*x)[3] ? (*x)[1] : (*x)[3];
    return a > b ? a : b;
}

/* The centre of mass, or the mean place if there is no mass. */
static inline double find_centre(const double (*rows)[4], size_t count,
                                 const struct tree_frame *frame, double centre[3])
{
    quad mass = {0}, sum[3] = {{0}};
    for (size_t i = 0; i < count; i += 4) {
        struct four four;
        load_four(rows, i, count, frame, &four);
        mass += four.mass;
        for (int c = 0; c < 3; c++)
            sum[c] += four.mass * four.at[c];
    }
    const double total = sum_of_four(&mass);
    for (int c = 0; c < 3; c++)
        centre[c] = total > 0 ? sum_of_four(&sum[c]) / total : 0;
    for (size_t i = 0; i < count && !(total > 0); i++)
        for (int c = 0; c < 3; c++)
            centre[c] += (rows[i][c] - frame->origin[c]) * frame->scale / (double)count;
    return total;
}

double OF_ISA(tree_centre)(const double (*rows)[4], size_t count, const struct tree_frame *frame,
                           double centre[3], double *radius2, float *const column[4])
{
    const double mass = find_centre(rows, count, frame, centre);
    quad farthest = {0};
    for (size_t i = 0; i < count; i += 4) {
        struct four four;
        load_four(rows, i, count, frame, &four);
        quad_float out[4] = {[3] = __builtin_convertvector(four.mass * frame->mass, quad_float)};
        quad square = {0};
        for (int c = 0; c < 3; c++) {
            const quad x = four.at[c] - centre[c];
            out[c] = __builtin_convertvector(x, quad_float);
            square += x * x;
        }
        raise_to(&farthest, &square);
        if (count - i >= 4)
            for (int c = 0; c < 4; c++)
                memcpy(column[c] + i, out + c, sizeof out[c]);
        else
            for (int c = 0; c < 4; c++)
                for (size_t k = 0; k < count - i; k++)
                    column[c][i + k] = out[c][k];
    }
    *radius2 = largest_of_four(&farthest);
    return mass * frame->mass;
}

double OF_ISA(tree_reach)(const double (*rows)[4], size_t count, const struct tree_frame *frame,
                          const double centre[3])
{
    quad farthest = {0};
    for (size_t i = 0; i < count; i += 4) {
        struct four four;
        load_four(rows, i, count, frame, &four);
        quad square = {0};
        for (int c = 0; c < 3; c++) {
            const quad x = four.at[c] - centre[c];
            square += x * x;
        }
        raise_to(&farthest, &square);
    }
    return largest_of_four(&farthest);
}

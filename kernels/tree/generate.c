/* Writes the straight-line code of Cartesian expansions of one order: usage: generate ORDER >FILE.
 *
 * Terms are the multi-indices n = (i, j, k), |n| = i + j + k <= ORDER, sorted by |n| and then with
 * i and j falling; n! = i! j! k!, x^n = x^i y^j z^k. tree.h documents the functions; the
 * recursion of the derivatives is from L. E. McMurchie, E. R. Davidson, J. Comput. Phys. 26, 218
 * (1978). The includer defines REAL, the type of a number (a vector's lanes count as one number),
 * NAMED(name), which makes a function's name unique, and TREE_INLINE, the qualifiers of a
 * function. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 6, TERMS_MOST = 84 };

static int order, terms, exponent[TERMS_MOST][3], at[MOST + 1][MOST + 1][MOST + 1];

static int degree(int n)
{
    return exponent[n][0] + exponent[n][1] + exponent[n][2];
}

static void list_terms(void)
{
    for (int d = 0; d <= order; d++)
        for (int i = d; i >= 0; i--)
            for (int j = d - i; j >= 0; j--) {
                exponent[terms][0] = i;
                exponent[terms][1] = j;
                exponent[terms][2] = d - i - j;
                at[i][j][d - i - j] = terms++;
            }
}

/* The term n + sign * m, or -1 if there is none. */
static int combine(int n, int m, int sign)
{
    int e[3], sum = 0;
    for (int c = 0; c < 3; c++) {
        e[c] = exponent[n][c] + sign * exponent[m][c];
        if (e[c] < 0)
            return -1;
        sum += e[c];
    }
    return sum > order ? -1 : at[e[0]][e[1]][e[2]];
}

/* The axis with the term's largest exponent, which gives the fewest factors. */
static int largest_axis(int n)
{
    int axis = 0;
    for (int c = 1; c < 3; c++)
        if (exponent[n][c] > exponent[n][axis])
            axis = c;
    return axis;
}

static int lowered(int n, int axis, int by)
{
    int e[3] = {exponent[n][0], exponent[n][1], exponent[n][2]};
    e[axis] -= by;
    return at[e[0]][e[1]][e[2]];
}

static void print_powers(void)
{
    printf("TREE_INLINE void NAMED(powers)(REAL x, REAL y, REAL z, REAL *out)\n{\n"
           "    out[0] = x * 0 + 1;\n");
    for (int n = 1; n < terms; n++) {
        int axis = largest_axis(n), from = lowered(n, axis, 1), divisor = exponent[n][axis];
        if (from == 0)
            printf("    out[%d] = %c;\n", n, "xyz"[axis]);
        else if (divisor == 1)
            printf("    out[%d] = out[%d] * %c;\n", n, from, "xyz"[axis]);
        else
            printf("    out[%d] = out[%d] * %c * (1.0f / %d);\n", n, from, "xyz"[axis], divisor);
    }
    printf("}\n\n");
}

/* Prints d_n of level m of the recursion, as the variable dm_n. */
static void print_derivative(int m, int n)
{
    const int axis = largest_axis(n), one = lowered(n, axis, 1), times = exponent[n][axis] - 1;
    const int two = times > 0 ? lowered(n, axis, 2) : -1;
    double up = 1;
    for (int k = 1; k <= m + 1; k++)
        up *= -(2 * k - 1);
    printf("    REAL d%d_%d = ", m, n);
    if (one == 0)
        printf("%c * %.1ff", "xyz"[axis], up);
    else
        printf("%c * d%d_%d", "xyz"[axis], m + 1, one);
    if (two == 0)
        printf(" + %.1ff", times * up);
    else if (two > 0 && times == 1)
        printf(" + d%d_%d", m + 1, two);
    else if (two > 0)
        printf(" + %d * d%d_%d", times, m + 1, two);
    printf(";\n");
}

/* Lower-order terms need fewer levels. */
static void print_derivatives(void)
{
    printf("TREE_INLINE void NAMED(derivatives)(REAL x, REAL y, REAL z, REAL *out)\n{\n");
    for (int m = order; m >= 0; m--)
        for (int n = 1; n < terms && degree(n) <= order - m; n++)
            print_derivative(m, n);
    printf("    out[0] = x * 0 + 1;\n");
    for (int n = 1; n < terms; n++)
        printf("    out[%d] = d0_%d;\n", n, n);
    printf("}\n\n");
}

static int first_of(int d)
{
    return d * (d + 1) * (d + 2) / 6;
}

/* The sums for terms of some degrees, moment by moment, so that each moment is loaded only once. */
static void print_sums(int first, int end)
{
    for (int n = first; n < end; n++)
        printf("    REAL s%d = moment[0] * d[%d];\n", n, n);
    for (int k = 4; k < terms; k++)
        for (int n = first; n < end; n++) {
            int sum = combine(n, k, 1);
            if (sum >= 0)
                printf("    s%d += moment[%d] * d[%d];\n", n, k, sum);
        }
    for (int n = first; n < end; n++)
        printf("    local[%d] += scale[%d] * s%d;\n", n, degree(n), n);
}

static void print_translate(const char *name, int first)
{
    printf("TREE_INLINE void NAMED(%s)(const REAL *moment, const REAL *d, const REAL *scale, "
           "REAL *local)\n{\n",
           name);
    print_sums(first, first_of(3));
    for (int d = 3; d <= order; d++)
        print_sums(first_of(d), first_of(d + 1));
    printf("}\n\n");
}

static void print_shifts(void)
{
    printf("TREE_INLINE void NAMED(raise)(const REAL *power, const REAL *moment, REAL *out)\n{\n");
    for (int n = 0; n < terms; n++) {
        printf("    out[%d] += ", n);
        for (int k = 0, some = 0; k < terms; k++) {
            int rest = combine(n, k, -1);
            if (rest >= 0)
                printf("%spower[%d] * moment[%d]", some++ ? " + " : "", rest, k);
        }
        printf(";\n");
    }
    printf("}\n\nTREE_INLINE void NAMED(lower)(const REAL *power, const float *local, REAL "
           "*out)\n{\n");
    for (int n = 0; n < terms; n++) {
        printf("    out[%d] = ", n);
        for (int m = 0, some = 0; m < terms; m++) {
            int sum = combine(n, m, 1);
            if (sum >= 0)
                printf("%spower[%d] * local[%d]", some++ ? " + " : "", m, sum);
        }
        printf(";\n");
    }
    printf("}\n\n");
}

static void print_evaluation(void)
{
    printf(
        "TREE_INLINE void NAMED(gradient)(const REAL *power, const float *local, REAL *out)\n{\n");
    for (int c = 0; c < 3; c++) {
        int axis = at[c == 0][c == 1][c == 2];
        printf("    out[%d] = ", c);
        for (int n = 0, some = 0; n < terms; n++) {
            int sum = combine(n, axis, 1);
            if (sum >= 0)
                printf("%spower[%d] * local[%d]", some++ ? " + " : "", n, sum);
        }
        printf(";\n");
    }
    printf("}\n\nTREE_INLINE REAL NAMED(value)(const REAL *power, const float *local)\n{\n    "
           "return ");
    for (int n = 0; n < terms; n++)
        printf("%spower[%d] * local[%d]", n ? " + " : "", n, n);
    printf(";\n}\n");
}

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static double factorials(int n)
{
    return factorial(exponent[n][0]) * factorial(exponent[n][1]) * factorial(exponent[n][2]);
}

/* P_n^2 as polynomials in the moments and their traces. Legendre's P_n(cos) |a|^n |b|^n is a
 * polynomial in cos |a| |b| = a.b, |a|^2 and |b|^2, and sum_ij m_i m_j (a_i.a_j)^q |a_i|^2t
 * |a_j|^2t is the square of the t-th trace of the moment of degree q + 2t. */
static void print_squares(void)
{
    static const double legendre[MOST + 1][MOST / 2 + 1] = {
        {1},
        {1},
        {3 / 2.0, -1 / 2.0},
        {5 / 2.0, -3 / 2.0},
        {35 / 8.0, -30 / 8.0, 3 / 8.0},
        {63 / 8.0, -70 / 8.0, 15 / 8.0},
        {231 / 16.0, -315 / 16.0, 105 / 16.0, -5 / 16.0},
    };
    printf("\nTREE_INLINE void NAMED(squares)(const REAL *moment, REAL *out)\n{\n");
    for (int d = 2; d <= order; d++) {
        for (int n = first_of(d); n < first_of(d + 1); n++)
            printf("    REAL t%d_0_%d = moment[%d] * %.1ff;\n", d, n, n, factorials(n));
        for (int t = 1; 2 * t <= d; t++)
            for (int n = first_of(d - 2 * t); n < first_of(d - 2 * t + 1); n++) {
                printf("    REAL t%d_%d_%d = ", d, t, n);
                for (int c = 0; c < 3; c++) {
                    int e[3] = {exponent[n][0], exponent[n][1], exponent[n][2]};
                    e[c] += 2;
                    printf("%st%d_%d_%d", c ? " + " : "", d, t - 1, at[e[0]][e[1]][e[2]]);
                }
                printf(";\n");
            }
        printf("    out[%d] = ", d);
        for (int t = 0; 2 * t <= d; t++) {
            int left = d - 2 * t;
            printf("%s%.9ff * (", t ? " + " : "", legendre[d][t]);
            for (int n = first_of(left); n < first_of(left + 1); n++)
                printf("%s%.1ff * t%d_%d_%d * t%d_%d_%d", n > first_of(left) ? " + " : "",
                       factorial(left) / factorials(n), d, t, n, d, t, n);
            printf(")");
        }
        printf(";\n");
    }
    printf("}\n");
}

/* Terms with at most one z. The others follow from Laplace's equation, D_(n+2z) = -D_(n+2x) -
 * D_(n+2y) + e_n, where e_n = -eps^2 D'_n of two levels further is due to softening. */
static bool flat(int n)
{
    return exponent[n][2] < 2;
}

/* The position of a flat term among those of degree `from` and more. */
static int place_of(int n, int from)
{
    int place = 0;
    for (int k = first_of(from); k < n; k++)
        place += flat(k);
    return place;
}

static int choose(int n, int k)
{
    return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
}

/* The part of a term in a flat one: z^2q = (-1)^q (x^2 + y^2)^q. */
static int part_of(int n, int in)
{
    const int pairs = exponent[n][2] / 2, x = (exponent[in][0] - exponent[n][0]) / 2;
    if (degree(n) != degree(in) || exponent[n][2] % 2 != exponent[in][2] || x < 0 || x > pairs ||
        exponent[in][0] != exponent[n][0] + 2 * x)
        return 0;
    return (pairs % 2 ? -1 : 1) * choose(pairs, x);
}

/* Moments of degree 2 on, as flat terms; then that of z^2. */
static void print_fold(void)
{
    printf("\nTREE_INLINE void NAMED(fold)(const REAL *moment, REAL *out)\n{\n");
    for (int in = first_of(2); in < first_of(order); in++) {
        if (!flat(in))
            continue;
        printf("    out[%d] = moment[%d]", place_of(in, 2), in);
        for (int n = in + 1; n < first_of(degree(in) + 1); n++)
            if (!flat(n) && part_of(n, in))
                printf(" + %d * moment[%d]", part_of(n, in), n);
        printf(";\n");
    }
    printf("    out[%d] = moment[%d];\n}\n", place_of(first_of(order), 2), at[0][0][2]);
}

/* Derivatives with at most two z, and e_0 to e_3; soft: eps^2 / (R^2 + eps^2). */
static void print_flat_derivatives(void)
{
    printf("\nTREE_INLINE void NAMED(flat_derivatives)(REAL x, REAL y, REAL z, REAL soft, REAL "
           "*out, REAL *e)\n{\n");
    printf("    e[0] = soft * -3.0f;\n");
    for (int c = 0; c < 3; c++)
        printf("    e[%d] = soft * %c * 15.0f;\n", c + 1, "xyz"[c]);
    for (int m = order; m >= 0; m--)
        for (int n = 1; n < terms && degree(n) <= order - m; n++)
            if (exponent[n][2] == 0)
                print_derivative(m, n);
    for (int n = 1; n < terms; n++) {
        const int i = exponent[n][0], j = exponent[n][1];
        if (exponent[n][2] == 0) {
            printf("    out[%d] = d0_%d;\n", n, n);
        } else if (exponent[n][2] == 1 && i + j == 0) {
            printf("    out[%d] = -z;\n", n);
        } else if (exponent[n][2] == 1) {
            printf("    out[%d] = z * d1_%d;\n", n, at[i][j][0]);
        } else if (exponent[n][2] == 2 && i + j > 0) {
            printf("    out[%d] = -(out[%d] + out[%d])", n, at[i + 2][j][0], at[i][j + 2][0]);
            if (i + j == 1)
                printf(" + e[%d]", 1 + j);
            printf(";\n");
        }
    }
    printf("}\n");
}

/* moment: the mass and what fold gives; local: flat terms, then two degrees lower the terms of e.
 */
static void print_flat_translate(void)
{
    const int flats = place_of(terms, 1);
    printf("\nTREE_INLINE void NAMED(flat_translate)(const REAL *moment, const REAL *d, const REAL "
           "*e, const REAL *scale, REAL *local)\n{\n");
    for (int from = 1, to; from <= order; from = to) { /* the lower ones together */
        to = from == 1 ? 3 : from + 1;
        const int first = first_of(from), end = first_of(to);
        for (int n = first; n < end; n++)
            if (flat(n))
                printf("    REAL s%d = moment[0] * d[%d];\n", n, n);
        for (int k = first_of(2); k < first_of(order - from + 1); k++)
            for (int n = first; n < end && flat(k); n++)
                if (flat(n) && combine(n, k, 1) >= 0)
                    printf("    s%d += moment[%d] * d[%d];\n", n, 1 + place_of(k, 2),
                           combine(n, k, 1));
        for (int n = first; n < end; n++) {
            if (degree(n) == 1)
                printf("    s%d += moment[%d] * e[%d];\n", n, 1 + place_of(first_of(order), 2), n);
            if (flat(n))
                printf("    local[%d] += scale[%d] * s%d;\n", place_of(n, 1), degree(n), n);
        }
    }
    for (int k = 0; k < 4; k++)
        printf("    local[%d] += scale[%d] * moment[0] * e[%d];\n", flats + k, k > 0 ? 3 : 2, k);
    printf("}\n");
}

static void print_unfold(void)
{
    const int flats = place_of(terms, 1);
    printf("\nTREE_INLINE void NAMED(unfold)(const float *from, float *local)\n{\n");
    for (int n = 1; n < terms; n++) {
        const int i = exponent[n][0], j = exponent[n][1], k = exponent[n][2] - 2;
        if (flat(n)) {
            printf("    float s%d = from[%d];\n", n, place_of(n, 1));
        } else {
            printf("    float s%d = -(s%d + s%d)", n, at[i + 2][j][k], at[i][j + 2][k]);
            if (degree(n) < 4)
                printf(" + from[%d]", flats + at[i][j][k]);
            printf(";\n");
        }
        printf("    local[%d] += s%d;\n", n, n);
    }
    printf("}\n");
}

int main(int count, char **arguments)
{
    order = count == 2 ? atoi(arguments[1]) : 0;
    if (order < 2 || order > MOST) {
        (void)fprintf(stderr, "usage: %s ORDER, from 2 to %d\n", arguments[0], MOST);
        return 2;
    }
    list_terms();
    printf("/* Written by kernels/tree/generate.c for order %d. */\n", order);
    print_powers();
    print_derivatives();
    print_translate("translate", 1);
    print_translate("translate_all", 0);
    print_shifts();
    print_evaluation();
    print_squares();
    print_fold();
    print_flat_derivatives();
    print_flat_translate();
    print_unfold();
    return 0;
}

/* Softening by a cubic spline (J. J. Monaghan & J. C. Lattanzio, Astron. Astrophys. 149, 135
 * (1985)), as GADGET has it (V. Springel, MNRAS 364, 1105 (2005), equation 4; L. Hernquist &
 * N. Katz, ApJS 70, 419 (1989)): every body is a ball of the density
 *
 *     8 m / (pi H^3) (1 - 6 u^2 + 6 u^3)  u < 1/2       u = r / H, H = 2.8 eps, the support
 *     8 m / (pi H^3) 2 (1 - u)^3          u < 1         0 beyond
 *
 * whose potential at the centre is -m / eps, that of a Plummer sphere, and which attracts like a
 * point beyond H. A pair's eps is the larger one of the two.
 *
 * Acceleration m P(r) (x_j - x_i), potential -m F(r). Between H / 2 and H both are those of a point
 * less a polynomial of t = 1 - u, without the loss of digits that the powers of u would bring:
 *
 *     u < 1/2:  P = H^-3 (32/3 + u^2 (32 u - 192/5))
 *
 *               F = H^-1 (14/5 - u^2 (16/3 - u^2 (48/5 - 32/5 u)))
 *
 *     u < 1:    P = r^-3 (1 - t^4 (16 + t (32/3 t - 128/5)))
 *
 *               F = r^-1 (1 - t^5 (16/5 - 32/15 t))
 *
 * Kernels take the half h = eps^2 / 2 of the pair, H^2 = 15.68 h, q = u^2 = r^2 / H^2 no smaller
 * than SPLINE_LEAST, below which nothing changes, and u = q q^(-1/2). With halves of single
 * precision, roots of bits.h and fused multiply-adds where written here as SPLINE_FMA,
 * whoever follows these steps gets the same bits.
 *
 * A file that includes this says what the steps are made of: SPLINE_REAL, SPLINE_FMA(a, b, c) =
 * a b + c and SPLINE_CONST(x), the number x as the vector or number that the others take. */
#pragma once

#define SPLINE_SUPPORT2 15.68   /* H^2 / h */
#define SPLINE_LEAST    0x1p-60 /* of u^2 */

/* P H^3 for u < 1/2. */
#define SPLINE_INNER_PULL(q, u)                                                                    \
    SPLINE_FMA(q, SPLINE_FMA(u, SPLINE_CONST(32), SPLINE_CONST(-38.4)), SPLINE_CONST(32. / 3))

/* P r^3 for 1/2 <= u <= 1, t2 = t t. */
#define SPLINE_OUTER_PULL(t, t2)                                                                   \
    SPLINE_FMA(-((t2) * (t2)),                                                                     \
               SPLINE_FMA(t, SPLINE_FMA(t, SPLINE_CONST(32. / 3), SPLINE_CONST(-25.6)),            \
                          SPLINE_CONST(16)),                                                       \
               SPLINE_CONST(1))

/* F H for u < 1/2. */
#define SPLINE_INNER_PHI(q, u)                                                                     \
    SPLINE_FMA(q,                                                                                  \
               SPLINE_FMA(q, SPLINE_FMA(u, SPLINE_CONST(-6.4), SPLINE_CONST(9.6)),                 \
                          SPLINE_CONST(-16. / 3)),                                                 \
               SPLINE_CONST(2.8))

/* F r for 1/2 <= u <= 1, t2 = t t. */
#define SPLINE_OUTER_PHI(t, t2)                                                                    \
    SPLINE_FMA(-(((t2) * (t2)) * (t)), SPLINE_FMA(t, SPLINE_CONST(-32. / 15), SPLINE_CONST(3.2)),  \
               SPLINE_CONST(1))

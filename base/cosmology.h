/* The expansion of a homogeneous universe of matter, curvature and a cosmological constant, without
 * radiation. Pure; thread-safe.
 *
 * The scale factor a, 1 today, follows Friedmann's equation: a'/a = H0 E(a), E^2 = matter / a^3 +
 * (1 - matter - lambda) / a^2 + lambda (P. J. E. Peebles 1993, "Principles of Physical Cosmology",
 * eq. 5.53), so that the age is the integral of da / (a H0 E). */
#pragma once

struct cosmology {
    double matter, lambda; /* densities today relative to the critical density */
    double hubble;         /* H0 per unit of time; 0: static, or unknown */
    double h;              /* H0 in 100 km/s/Mpc */
};

/* E at the scale factor `a` > 0; NaN if the universe never had this size. */
double cosmology_rate(const struct cosmology *cosmology, double a);

/* The age at the scale factor, in Hubble times 1 / H0, with a relative error below 1e-9. NaN if the
 * universe never had this size. */
double cosmology_age(const struct cosmology *cosmology, double a);

/* The scale factor at an age in Hubble times: the inverse of cosmology_age. */
double cosmology_scale(const struct cosmology *cosmology, double age);

/* The scale factor at an age in the unit of time of cosmology->hubble, which is above 0. */
double cosmology_scale_at(const struct cosmology *cosmology, double age);

/* The second derivative of the scale factor, in H0^2. */
double cosmology_acceleration(const struct cosmology *cosmology, double a);

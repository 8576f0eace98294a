// The colour of a body's stars by their age in Gyr; below 0, and where the scene gives the group a colour: the tint.
uniform bool tinted_only;

vec3 body_colour()
{
    if (stellar_age >= 0.0 && !tinted_only)
        return tinted(population_shown(stellar_age));
    return tinted(tint);
}

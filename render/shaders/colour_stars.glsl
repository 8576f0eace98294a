// The colour of a body's stars by age in Gyr. The tint if the age is below 0, or if the scene gives
// the group a colour.
uniform bool tinted_only;

vec3 body_colour()
{
    if (stellar_age >= 0.0 && !tinted_only)
        return tinted(population_shown(stellar_age));
    return tinted(tint);
}

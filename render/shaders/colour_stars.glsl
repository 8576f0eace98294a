// The colour of a body's stars by their age in Gyr; below 0, and where the scene gives the group a colour: the tint.
uniform bool tinted_only;
uniform vec3 population[33]; // by age, as shown on a display
uniform vec2 ages;           // of the first and the last

vec3 body_colour()
{
    if (stellar_age >= 0.0 && !tinted_only) {
        float place = clamp(log(max(stellar_age, ages.x) / ages.x) / log(ages.y / ages.x), 0.0, 1.0) * 32.0;
        int below = int(min(place, 31.0));
        return tinted(mix(population[below], population[below + 1], place - float(below)));
    }
    return tinted(tint);
}

/* Mesa's cache of compiled shaders, which it keeps in the user's folder. */
#ifndef CMD_SHADER_CACHE_H
#define CMD_SHADER_CACHE_H

/* Turns it off where its folder cannot be made, as in a container whose user has no home: Mesa
 * would do the same, with a warning on stderr. To be called before any thread starts, because it
 * changes the environment; what that says already stays. */
void shader_cache_choose(void);

#endif

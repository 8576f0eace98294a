/* Sets environment variables for libraries unless they are set already. Call both functions before
 * any thread starts, because they change the environment. */
#pragma once

/* Turns off Mesa's cache of compiled shaders if its folder cannot be created, as in a container
 * whose user has no home: Mesa would do the same, with a warning on stderr. */
void shader_cache_choose(void);

/* Chooses fonts for English, so that pictures do not depend on the user's language. If the host has
 * no fontconfig configuration, and neither FONTCONFIG_FILE nor FONTCONFIG_PATH is set, fontconfig
 * reads PROGRAM/../share/fonts/fonts.conf, if it exists. Call it before any thread starts, because
 * it changes the environment. */
void fonts_prepare(void);

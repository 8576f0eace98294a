/* What the environment tells libraries, where it does not say it already. Both are to be called
 * before any thread starts, because they change the environment. */
#ifndef CMD_ENVIRONMENT_H
#define CMD_ENVIRONMENT_H

/* Turns off Mesa's cache of compiled shaders where its folder cannot be made, as in a container
 * whose user has no home: Mesa would do the same, with a warning on stderr. */
void shader_cache_choose(void);

/* Fonts are chosen for English, so that pictures do not depend on the user's language. Where the
 * host has no fontconfig of its own, and neither FONTCONFIG_FILE nor FONTCONFIG_PATH says what to
 * use, fontconfig reads PROGRAM/../share/fonts/fonts.conf, if there is such a file. Call it before
 * any thread starts, because it changes the environment. */
void fonts_prepare(void);

#endif

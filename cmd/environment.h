/* What the environment tells libraries, where it does not say it already. Both are to be called
 * before any thread starts, because they change the environment. */
#ifndef CMD_ENVIRONMENT_H
#define CMD_ENVIRONMENT_H

/* Turns off Mesa's cache of compiled shaders where its folder cannot be made, as in a container
 * whose user has no home: Mesa would do the same, with a warning on stderr. */
void shader_cache_choose(void);

/* Names the fonts of a bundle, PROGRAM/../share/fonts/fonts.conf, to fontconfig where the host has
 * no fontconfig of its own. Nothing where there is no such file, or where FONTCONFIG_FILE or
 * FONTCONFIG_PATH says what to use. */
void fonts_of_bundle(void);

#endif

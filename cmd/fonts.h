/* What the letters of the overlay depend on outside of the scene. */
#ifndef CMD_FONTS_H
#define CMD_FONTS_H

/* Fonts are chosen for English, so that pictures do not depend on the user's language. Where the
 * host has no fontconfig of its own, and neither FONTCONFIG_FILE nor FONTCONFIG_PATH says what to
 * use, fontconfig reads PROGRAM/../share/fonts/fonts.conf, if there is such a file. Call it before
 * any thread starts, because it changes the environment. */
void fonts_prepare(void);

#endif

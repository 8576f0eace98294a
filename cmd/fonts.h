/* Fonts that lie beside the program, in a bundle, for hosts that have none. */
#ifndef CMD_FONTS_H
#define CMD_FONTS_H

/* Names PROGRAM/../share/fonts/fonts.conf to fontconfig where the host has no fontconfig of its
 * own: before any thread starts, because it changes the environment. Nothing where there is no such
 * file, or where FONTCONFIG_FILE or FONTCONFIG_PATH says what to use. */
void fonts_of_bundle(void);

#endif

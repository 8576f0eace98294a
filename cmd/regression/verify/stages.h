/* The stages by which a single film is judged, each in the file of its name. */
#pragma once

#include "cmd/regression/record/record.h"
#include "cmd/regression/verify/subject.h"

/* Judges a film's scene: it parses, its hash and seed match the tags, and the film has its size,
 * rate and length. Not applicable to a film that this program did not make. */
void verify_scene(const struct subject *subject, struct stage_report *stage);

/* Limits what redrawing can be made to do by a film's scene, which anybody may have written. */
enum { TRUST_BODIES_MAX = 1 << 22 };

/* Returns STATUS_OK if the scene may be drawn: it matches the hash in its tag, asks for at most
 * TRUST_BODIES_MAX bodies, and reads no bodies file outside the film's folder and the folders in
 * $GRAVREEL_DATA, with their subfolders. Logs the bodies file. Otherwise returns STATUS_MISMATCH
 * with the reason. The subject must have a scene. */
enum status trust_scene(const struct subject *subject);

/* Judges whether every packet of a film is intact: each decodes without a warning, key frames are
 * marked as they are in the stream, GOPs are closed and no longer than the encoder makes them (an
 * open GOP in a film made by another program is a warning). Not applicable to PNG files, whose
 * damage verify_pictures finds. */
void verify_packets(const struct subject *subject, struct stage_report *stage);

/* Call after `finding`, the last one, was added: appends its text to the sentence of the earlier
 * findings. */
void verify_packets_conclude(struct stage_report *stage, const struct finding *finding);

/* Judges whether a film's pictures can be pictures of something that moves.
 *
 * No frame may have infinite or NaN samples. No frame may be black or repeat the one before it.
 * Both are judged relative to the film: a film may begin in the dark and may slow down, but then
 * its light and its motion change gradually. A run of black frames is a fault if a frame next to it
 * has more than a quarter of the median frame's light; a run of equal frames is a fault if the
 * change next to it is more than a quarter of the film's median change; either is a fault if all
 * frames are so. A film of one frame cannot be frozen. Next to slow motion, equal frames are a
 * warning in a film that codes few frames independently: encoders skip what hardly moves. A film of
 * eight or more frames is frozen if all are as close to the first as encoded copies of it, unless
 * its tags say that the bodies rest.
 *
 * Captions must not hide a black frame. The light of a frame is therefore what it has above the
 * minimum of each pixel over all frames, and black means less than a twentieth of the median
 * frame's light. Where captions come and go, or may do so, a frame that is black only in this sense
 * is a warning.
 *
 * Two adjacent frames that fit much better between their neighbours in the other order are swapped,
 * unless the pairs before and after do so too, as where fast motion is coded roughly. This is
 * judged in films of eight or more frames whose motion is smooth in most places; a swap is missed
 * where the motion is too fast or too slow, and where a caption or a fade begins.
 *
 * verify_film concludes the stage after frames have been redrawn. */
void verify_pictures(const struct subject *subject, struct stage_report *stage);

/* Judges the metadata of a film's file: how many frames it has, when they are shown, in which
 * colours. In a film by this program, everything must be as its encoder and muxer write it. In
 * other films, container and stream must agree; a missing field or an uneven time step is a
 * warning. For PNG files, only their number is judged. */
void verify_container(const struct subject *subject, struct stage_report *stage);

/* Adds to the stage container what a player shows and plays besides the pictures. A film by this
 * program must have what its scene asks for: its projection and its sound, as long as the film, a
 * mastering display with PQ, and nothing else. What other films have, and another title, is a
 * warning. */
void verify_played(const struct subject *subject, struct stage_report *stage);

/* Call after a finding was added: the sentence then lists everything that is wrong or, in one line,
 * what is right. */
void verify_container_conclude(struct stage_report *stage);

/* Compares a film's packets, and everything else in its file, with its manifest.
 *
 * Adds to the stages packets and container, which have been judged before, whether each packet and
 * each box of the file has the hash in the manifest: together, every bit of the film. Data that the
 * manifest of an older program lacks is a warning. Fails, and does not judge the packets, if either
 * the film or the manifest has none. */
enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct case_report *one);

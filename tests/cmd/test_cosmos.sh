#!/usr/bin/env bash
# Films of cosmological snapshots, made by docs/examples/cosmos.c: clock, frame, copies; ranges and what is refused.
# Usage: test_cosmos.sh PROGRAM COSMOS
set -uo pipefail
gravreel=$(readlink -f "$1") cosmos=$(readlink -f "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$gravreel" still plummer -n 64 --size 64x36 --at 0 -o first.png >said 2>&1
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
failed=0
fail() { echo "FAILED: $*"; sed 's/^/  /' said; failed=1; }
refused() { # words of the sentence; then the command
  local words=$1 word
  shift
  "$gravreel" "$@" -o bad.png >said 2>&1
  [ $? -eq 2 ] || fail "exit code of $* is not 2"
  for word in $words; do grep -F 'gravreel: ' said | grep -qF -- "$word" || fail "does not say $word"; done
  [ ! -e bad.png ] || fail "there is a picture"
}
"$cosmos" 8 20 5 's_%d.hdf5' >said 2>&1 || fail cosmos
[ "$(ls s_*.hdf5 | wc -l)" -eq 5 ] || fail 'there are not five snapshots'
"$cosmos" 9 20 5 'n_%d.hdf5' >said 2>&1 && fail 'nine bodies'

film=(--snapshots 's_*.hdf5' --size 64x36 --set output.frames=20 --set camera.orbit=0 --set overlay.clock=true)
cosmic=(--set bodies.frame=comoving --set look.copies=1 --set overlay.clock_as=redshift)
frames() { grep -E '^[0-9]' "$1"; }

# ---- a part is as in the whole; copies and frames are seen ----
"$gravreel" render "${film[@]}" "${cosmic[@]}" -o whole.hash >said 2>&1 || fail whole
"$gravreel" render "${film[@]}" "${cosmic[@]}" --frames 7..12 -o part.hash >said 2>&1 || fail part
[ "$(frames part.hash)" = "$(frames whole.hash | sed -n 8,13p)" ] && [ -n "$(frames part.hash)" ] || fail 'a part differs from the whole'
for key in look.copies=0 bodies.frame=physical overlay.clock_as=age; do
  "$gravreel" render "${film[@]}" "${cosmic[@]}" --set $key -y -o other.hash >said 2>&1 || fail $key
  [ "$(frames other.hash)" != "$(frames whole.hash)" ] || fail "$key changes nothing"
done

# ---- the clock ----
"$gravreel" render "${film[@]}" "${cosmic[@]}" -o page.html >said 2>&1 || fail page
grep -qF 'look.copies' said || fail 'what the page leaves out'
grep -qF '"z = 24.0"' page.html && grep -qF '"z = 0"' page.html || fail 'the first and the last redshift'
"$gravreel" render "${film[@]}" --set overlay.clock_as=age -o age.html >said 2>&1 || fail age
grep -qF '13.47 Gyr after the Big Bang' age.html || fail 'the age today'

# ---- redshifts as moments, in a film and of a still ----
"$gravreel" still "${film[@]}" --at z=1 -o one.png >said 2>&1 || fail 'z=1'
grep -qF 'frame 8,' said || fail 'z=1 is not in frame 8' # at 5.75 Gyr of 0.13 to 13.47 in 20 frames: 8.0
refused 'z=2 expanding' still plummer --at z=2
refused 'before begins' still "${film[@]}" --at z=30
"$gravreel" info s_2.hdf5 >said 2>&1 || fail info
grep -qF 'z = 0.9231, a = 0.52, 6.07 Gyr old; matter 0.3, lambda 0.7, h 0.7' said || fail 'what info says of the universe'
grep -qF '14.8571 x 14.8571 x 14.8571' said || fail 'what info says of the box'
"$gravreel" info --json s_2.hdf5 >said 2>&1 || fail 'info --json'
for words in '"scale_factor": 0.52' '"omega_matter": 0.29999' '"h": 0.69999' '"velocity_kms": 1.0' '"box": ['; do grep -qF "$words" said || fail "info --json has no $words"; done

# ---- one snapshot ----
"$gravreel" still --bodies-from s_4.hdf5 "${cosmic[@]}" --size 64x36 --at start -y -o one.png >said 2>&1 || fail 'a single snapshot'
grep -qF 'only the start is correct' said && fail 'a still at the start is warned about'
"$gravreel" still --bodies-from s_4.hdf5 "${cosmic[@]}" --size 64x36 --at 1 -y -o one.png >said 2>&1 || fail 'a later still'
grep -qF 'only the start is correct' said || fail 'a later still is not warned about'

# ---- what is refused ----
refused 'overlay.clock_as expanding' still plummer --set overlay.clock_as=redshift --at 0
refused 'overlay.length_unit expanding' still plummer --set overlay.length_unit=kpc/h --at 0
refused 'look.copies plummer' still plummer --set look.copies=1 --at 0
refused 'bodies.frame plummer' still plummer --set bodies.frame=comoving --at 0
refused 'bodies.box plummer' still plummer --set 'bodies.box=[1, 1, 1]' --at 0
refused 'bodies.box -1' still "${film[@]}" --set 'bodies.box=[-1, 1, 1]' --at 0
refused 'redshif redshift' still "${film[@]}" --set overlay.clock_as=redshif --at 0
refused 'overlay.clock_from redshift' still "${film[@]}" "${cosmic[@]}" --set overlay.clock_from=3 --at 0
"$gravreel" simulate plummer -n 10 --every 1 --until 1 -o 'p_%d.hdf5' >said 2>&1 || fail simulate
refused 'p_0.hdf5 bodies.frame physical' still --snapshots 'p_*.hdf5' --set bodies.frame=comoving --at 0
refused 'look.copies bodies.box' still --snapshots 'p_*.hdf5' --set look.copies=2 --at 0
"$gravreel" still --snapshots 'p_*.hdf5' --set look.copies=1 --set 'bodies.box=[9, 9, 9]' --size 64x36 --at 0 -o boxed.png >said 2>&1 || fail 'a box of the scene'
exit $failed

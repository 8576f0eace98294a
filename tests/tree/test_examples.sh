#!/usr/bin/env bash
# The commands and scenes that README and docs show, run: each command as it stands, with few bodies, small pictures
# and, where it names no frames, three of them; each scene in place of the same sections of the default scene.
# What is not run is in the table below, with the reason. Usage: test_examples.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(readlink -f "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0 passed=0 name= # the page
declare -A tried

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

gravreel() { "$program" "$@"; }

not_run() { # command line
  case $1 in
    *'bench --suite help'*) return 1 ;;
    'gravreel bench'*) ;;             # minutes; tests/cmd/bench runs it
    'gravreel baseline --accept'*) ;; # needs a change; tests/cmd/regression/baseline makes one
    'gravreel view'*) ;;              # ends with Ctrl-C; tests/cmd/view asks it
    'gravreel resume'*) ;;            # needs a run that was interrupted; tests/faults makes them
    *) return 1 ;;
  esac
}

# A twentieth of a picture's width and height, still odd where it was.
smaller() { # WxH or a word
  local width height
  case $1 in
    720p) set -- 1280x720 ;;
    1080p) set -- 1920x1080 ;;
    4k) set -- 3840x2160 ;;
    8k) set -- 7680x4320 ;;
    square) set -- 1080x1080 ;;
    vertical) set -- 1080x1920 ;;
  esac
  width=${1%x*} height=${1#*x}
  if [ "$width" -gt 400 ]; then echo "$((width / 20))x$((height / 20))"; else echo "$1"; fi
}

# Prints the command line as it is run. A camera that frames by a pilot run costs more than all the rest, so it is tried only
# where a command speaks of its frame. Making the default scene's galaxies is half of the rest: commands that name no scene and
# nothing that plummer lacks draw plummer.
reduced() { # command line
  local words=() out=() i word command frames=no camera= size=64x36
  [[ $1 == *camera.frame* ]] || camera='--set camera.frame=fixed'
  eval "words=(${1%%[|<>]*})" # quotes as the shell takes them
  [ ${#words[@]} -gt 1 ] || { echo false; return; }
  command=${words[1]}
  [[ ! $1 =~ ^gravreel' '(render|still)' -' || $1 =~ galax|Andromeda|component|quantity|pericentre|captions|help|--frames' 450'|--(run|bodies|snapshots|resume)|\.yaml|^gravreel' render -o film.mp4'$ ]] ||
    words=("${words[@]:0:2}" plummer "${words[@]:2}")
  for ((i = 0; i < ${#words[@]}; i++)); do
    word=${words[i]}
    out+=("$word")
    case $word in
      --size) i=$((i + 1)); out+=("$(smaller "${words[i]}")") ;;
      --frames) frames=yes ;;
      --at) [[ $1 != *pythagorean* || ${words[i + 1]} != t=* ]] || { i=$((i + 1)); out+=("t=$((${words[i]#t=} / 10))"); } ;; # steps of three bodies become ever shorter
    esac
  done
  case $command in
    render)
      [[ ${words[*]} != *dnxhr* ]] || size=256x144 # its least is 256x120
      [[ ${words[*]} == *--size* ]] || out+=(--size $size)
      [ $frames = yes ] || out+=(--frames 0..2)
      [[ ${words[*]} == *'{scene:'* ]] || out+=(-n 96 $camera) # no panel shows these
      out+=(--quiet)
      [[ ${words[*]} == *--resume* ]] || out+=(-y)
      ;;
    simulate) out+=(-n 96 --quiet -y) ;;
    still)
      [[ ${words[*]} == *--size* ]] || out+=(--size 64x36)
      [[ ${words[*]} == *both.mp4* ]] || out+=(-n 96 $camera)
      out+=(--quiet -y)
      ;;
    sheet) # of a film or of a scene
      out+=(-y)
      [[ ${words[2]} == *[./]* ]] || out+=(--set output.size=64x36 -n 96 $camera)
      ;;
    scenes) # all of them are a minute
      [[ ${words[*]} != *--sheet* ]] || out+=(plummer -n 64 -y)
      ;;
    baseline) out+=(-n 96 --size 32x18 --frames 6 $camera) ;;
    compare) out+=(-y) ;;
    farm) out+=(-y) ;;
    join) out+=(-y) ;;
    convert) out+=(-y) ;;
  esac
  printf '%q ' "${out[@]}"
  case $1 in *'<'*) printf '< %q ' "$(awk '{ print $1 }' <<<"${1#*<}")" ;; esac
  case $1 in *'>'*) printf '> %q' "$(awk '{ print $1 }' <<<"${1#*>}")" ;; esac
}

# What a command needs that other commands have not made.
prepare() { # command line
  case $1 in
    *--resume*) bash -c "exec $(reduced "${1/--resume/-y}" | sed "s|^gravreel|$program|")" >/dev/null 2>&1 ;;
    *'farm a.yaml b.yaml'*) cp film.yaml a.yaml; cp film.yaml b.yaml ;;
    *'compare a.mp4 b.mp4'*) cp whole.mp4 a.mp4; cp whole.mp4 b.mp4 ;;
    *'compare a.json b.json'*) cp whole.json a.json; cp whole.json b.json ;;
    *'gravreel baseline '*) rm -rf baselines ;;
    *' film.mp4'*) cp whole.mp4 film.mp4 ;;
  esac
}

try() { # page, command line
  local line=${2%%  #*} code
  not_run "$line" && return
  [ -z "${tried[$line]:-}" ] || return # on another page
  tried[$line]=yes
  prepare "$line"
  bash -c "$(reduced "$line" | sed "s|^gravreel|$program|")" >said 2>&1 </dev/null
  code=$?
  verdict $code "$1: $line: exit code $code: $(tr -d '\0' <said | head -3)"
}

fixtures() {
  gravreel scenes milky-way-andromeda | sed 's/frame: auto/frame: fixed/; s/count: 65536/count: 96/' >mine.yaml
  gravreel render -n 96 --size 64x36 --frames 0..239 --set camera.frame=fixed -o whole.mp4 --manifest whole.json --quiet || return
  mkdir frames
  gravreel render plummer -n 96 --size 64x36 --set camera.frame=fixed -o frames/%06d.png --quiet
  gravreel render -n 96 --fps 60 --set output.frames=1440 --size 32x18 --set camera.frame=fixed --save-scene film.yaml
  { # half a second of silence
    printf 'RIFF\xa4\xbb\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0data\x80\xbb\0\0'
    head -c 48000 /dev/zero
  } >song.wav
  for _ in {1..20}; do printf '\xff\xfb\x90\0'; head -c 413 /dev/zero; done >song.mp3 # frames of silence
  awk 'BEGIN { srand(1); for (i = 0; i < 96; i++) print 1 / 96, rand(), rand(), rand(), rand(), rand(), rand() }' \
    >bodies.tab
  (echo mass,x,y,z,vx,vy,vz; tr ' ' , <bodies.tab) >bodies.csv
  awk 'BEGIN { print "mass,x,y,z,vx,vy,vz,Density,Metallicity,SmoothingLength" } { print $1 "," $2 "," $3 "," $4 "," $5 "," $6 "," $7 "," NR "," NR / 5000 ",0.3" }' \
    bodies.tab >columns.csv
  gravreel convert columns.csv gas.hdf5
  { # Sun and planets with asteroids
    printf '%s\n' 'name,group,mass [Msun],x [au],y [au],z [au],vx [au/day],vy [au/day],vz [au/day]' Sun,star,1,0,0,0,0,0,0 \
      Jupiter,planets,1e-3,0,5.2,0,-0.00754,0,0 Earth,planets,3e-6,1,0,0,0,0.0172,0 Mars,planets,3e-7,0,-1.5,0,0.014,0,0
    awk 'BEGIN { for (i = 0; i < 92; i++) print "Asteroid " i ",rocks,1e-13," 2 + i / 100 ",0,0,0," 0.0172 / sqrt(2 + i / 100) ",0" }'
  } >planets.csv
  awk 'BEGIN { srand(1); for (i = 0; i < 81920; i++)
    print 1e-4, 20 * (i % 2) + rand(), rand(), rand(), rand(), rand(), rand() }' | gzip >dubinski.tab.gz
  gravreel convert --quiet bodies.tab galaxy.tipsy
  xz -c bodies.tab >galaxy.tab.xz
  gravreel convert --quiet -f gadget1 bodies.tab snapshot.0
  gravreel convert --quiet -f ids bodies.tab odd.dat
  gravreel simulate plummer -n 96 --every 1 --until 2 --quiet -o 'snap_%03d.hdf5'
  for i in 0 1 2; do # a halo with a progenitor in each
    printf '#ID DescID Mvir Rvir X Y Z\n#a = 1\n17 %d 1e12 500 0.%d 0 0\n' $((i < 2 ? 17 : -1)) $i >out_$i.list
    cp snap_00$i.hdf5 theirs_00$i.hdf5
  done
  gravreel scenes mice >retrograde.yaml
  # shellcheck disable=SC2046
  cc -O1 -fopenmp "$root/docs/examples/cosmos.c" $(pkg-config --cflags --libs hdf5) -lm -o cosmos && ./cosmos 8 60 12 'cosmos_%03d.hdf5' >said 2>&1
}

commands_of() { # page
  awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$1" | sed -nE 's/^ *(gravreel .*)$/\1/p'
}

# The default scene with the sections of the snippet in place of its own.
merged() { # snippet
  awk 'NR == FNR { if (/^[a-z]+:/) { section = $1; have[section] = 1 } text = text $0 "\n"; next }
       /^[a-z]+:/ { skip = $1 in have } !skip { print } END { printf "%s", text }' "$1" mine.yaml
}

scenes_of() { # page: writes snippet-N.yaml, prints how many
  awk '/^```yaml$/ { on = 1; first = 1; next } /^```/ { on = 0 }
       on && first { first = 0; if (!/^(units|bodies|simulation|camera|look|overlay|output|expect):/) on = 0; else n++ }
       on { print > ("snippet-" n ".yaml") } END { print n + 0 }' "$1"
}

gravreel still figure-eight --at start --size 32x18 -o gl.png >said 2>&1
[ $? -eq 4 ] && { echo "skipped: no GL: $(cat said)"; exit 77; }
fixtures || exit 1
[ "$(smaller 1279x719)$(smaller vertical)$(smaller 128x72)" = 63x3554x96128x72 ]
verdict $? "sizes are made smaller"
bash -c "$(reduced 'gravreel render --set camera.moves="[{move: zoom, from: start - 2}]" -o a.mp4' |
  sed "s|^gravreel|$program|")" >/dev/null 2>&1
[ $? -eq 2 ]
verdict $? "a command that fails is found"

commands=0 scenes=0
for page in "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md; do
  name=$(basename "$page")
  while IFS= read -r line; do
    case $line in *'$'* | *'\') continue ;; esac # parts of a script
    try "$name" "$line"
    commands=$((commands + 1))
  done < <(commands_of "$page")
  count=$(scenes_of "$page")
  for ((i = 1; i <= count; i++)); do
    merged "snippet-$i.yaml" >merged.yaml
    grep -q '^camera:' "snippet-$i.yaml" && camera= || camera='--set camera.frame=fixed'
    camera+=' -n 96'
    ! grep -q '{scene:' "snippet-$i.yaml" || { cp "snippet-$i.yaml" merged.yaml; camera=; } # what no panel shows cannot be set
    gravreel render merged.yaml $camera --size 64x36 --frames 0..2 -y -o snippet.mp4 --quiet >said 2>&1
    verdict $? "$name, scene $i: $(cat said)"
  done
  scenes=$((scenes + count))
done
[ "$commands" -gt 60 ]
verdict $? "commands found: $commands"
[ "$scenes" -gt 3 ]
verdict $? "scenes found: $scenes"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

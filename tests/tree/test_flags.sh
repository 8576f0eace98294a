#!/usr/bin/env bash
# Bits are the same everywhere only where the compiler rounds after every operation: reads from compile_commands.json that
# all C but the fast kernels is compiled with -ffp-contract=off as the last word and without -ffast-math and its kin, that
# exact CUDA kernels have --fmad=false, and from the build files that no program is linked with what rounds to zero.
# A missing compile_commands.json skips the test. Usage: test_flags.sh BUILD-FOLDER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:?usage: test_flags.sh BUILD-FOLDER}
[ -s "$build/compile_commands.json" ] || { echo "skipped: this generator writes no compile_commands.json"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

judge() { # compile_commands.json: says what is wrong
  perl -MJSON::PP -MText::ParseWords=shellwords -e '
    my ($root, $commands) = @ARGV;
    # The kernels of fast, double and tree, and the ladder.
    my $fast = qr{^kernels/(pairs/(pairs|square|double)|tree/(meet|judge|expansion|leaf|shift)|ladder/(bound|plain))_isa\.c$};
    my $exact_cuda = qr{^kernels/(pairs/cuda/(exact|spline)|steps/\w+|exact_tree/cuda/\w+)\.cu$};
    my @exact_cuda = qw(fmad=false ftz=false prec-div=true prec-sqrt=true);
    my $inexact = qr{(?:^|[=,])(--?use_fast_math|-Ofast|-ffast-math|-funsafe-math-optimizations|-fassociative-math
      |-freciprocal-math|-ffinite-math-only|-fno-signed-zeros|-fno-trapping-math|-fno-honor-\w+|-fcx-[\w-]+|-fapprox-func
      |-fsingle-precision-constant|-ffp-model=.*|-fexcess-precision=.*|-mfpmath=.*|-mrecip.*|-mlow-precision-[\w-]+
      |-mdaz-ftz)$}x;
    # The ladder has the loop that most people write; these read and judge pictures.
    my @may = ([qr{^kernels/ladder/plain_isa\.c$}, qr{^-ffast-math$}],
      [qr{^render/(compare/\w+|reader/rgb16)\.c$}, qr{^-fno-(signed-zeros|trapping-math)$}]);
    # Files that must be found, so that the rules above are about the files that are meant.
    my @known = qw(kernels/pairs/exact_isa.c kernels/pairs/pairs_isa.c kernels/pairs/square_isa.c kernels/pairs/double_isa.c
      kernels/tree/meet_isa.c kernels/tree/judge_isa.c kernels/tree/expansion_isa.c kernels/tree/leaf_isa.c
      kernels/tree/shift_isa.c kernels/tree/tree.c
      sim/gravity/exact_tree/exact_build.c sim/gravity/exact_tree/exact_gravity.c);
    for my $room (qw(base/functions kernels/exact_tree sim/galaxy sim/models sim/orbit sim/integrators)) {
      my @files = glob("$root/$room/*.c");
      print "$room: there are no files\n" unless @files;
      push @known, map { substr($_, length("$root/")) } @files;
    }
    my %found;
    local $/;
    open(my $text, "<", $commands) or die "$commands: $!\n";
    for my $row (@{decode_json(<$text>)}) {
      my @words = $row->{arguments} ? @{$row->{arguments}} : shellwords($row->{command});
      my @files = $row->{file};
      if ($files[0] =~ m{/unity_\d+_c\.c$} && open(my $unity, "<", $files[0])) {
        @files = <$unity> =~ /^#include "(.*)"/mg;
      }
      for my $file (@files) {
        $file =~ s{^\Q$root\E/}{};
        $found{$file}++;
        for (map { $_ =~ $inexact ? $1 : () } @words) {
          my $word = $_;
          print "$file: has $word\n" unless grep { $file =~ $_->[0] && $word =~ $_->[1] } @may;
        }
        if ($file =~ /\.c$/) {
          my ($last) = (map { /^-ffp-contract=(.*)/ ? $1 : () } @words)[-1] // "none";
          my $want = $file =~ $fast ? "fast" : "off";
          print "$file: -ffp-contract=$want is not its last word, which is $last\n" unless $last eq $want;
        } elsif ($file =~ $exact_cuda) {
          for my $want (@exact_cuda) {
            my ($name) = $want =~ /^(.*)=/;
            my ($last) = (map { /^--?\Q$name\E=(.*)/ ? "$name=$1" : () } @words)[-1] // "none";
            print "$file: --$want is not its last word, which is $last\n" unless $last eq $want;
          }
        }
      }
    }
    for (@known) { print "$_: is not compiled\n" unless $found{$_}; }' "$root" "$1"
}

links() { # FILE... build.ninja, or the link.txt of makefiles
  perl -00 -ne 'print "$ARGV: a program is linked with $2\n"
    if ($ARGV =~ /link\.txt$/ || /^build .*: \w+_LINKER__/m) && /(^|\s)(-ffast-math|-Ofast|-mdaz-ftz|-funsafe-math\S*)(?!\S)/' "$@"
}

# Changes the words of the first row of a file. `perl`: changes $_, the words after the compiler as one string.
plant() { # FILE PERL
  perl -MJSON::PP -e '
    my ($commands, $file, $change) = @ARGV;
    local $/;
    open(my $text, "<", $commands) or die "$commands: $!\n";
    my $rows = decode_json(<$text>);
    my ($row) = grep { $_->{file} =~ m{/\Q$file\E$} } @$rows;
    die "$file is not compiled\n" unless $row || $file =~ /planted/;
    push @$rows, $row = {directory => "/", file => "$ARGV[3]/$file", command => "nvcc -c"} unless $row;
    for ($row->{command}) { eval $change; die $@ if $@; }
    print encode_json($rows);' "$build/compile_commands.json" "$1" "$2" "$root" >"$folder/planted.json"
}
caught() { # FILE PERL SAID: what is planted in that file is said, and nothing else
  plant "$1" "$2"
  local said
  said=$(judge "$folder/planted.json")
  [ "$said" = "$1: $3" ] || { printf 'planted in %s: %s\nsaid: %s\n' "$1" "$2" "$said"; exit 1; }
}

if ! grep -q '/unity_[0-9]*_c\.c"' "$build/compile_commands.json"; then # where a row is one file
  off='-ffp-contract=off is not its last word, which is'
  caught kernels/pairs/exact_isa.c 's/ -c / -ffp-contract=fast -c /' "$off fast"
  caught kernels/exact_tree/walk_isa.c 's/ -ffp-contract=off//g' "$off none"
  caught base/functions/circular.c 's/ -ffp-contract=off/ -ffp-contract=off -ffp-contract=on/' "$off on"
  caught sim/integrators/integrator.c 's/$/ -ffp-contract=fast/' "$off fast"
  caught base/functions/exponential.c 's/ -c / -ffast-math -c /' 'has -ffast-math'
  caught sim/orbit/orbit.c 's/ -c / -Ofast -c /' 'has -Ofast'
  caught kernels/exact_tree/walk.c 's/ -c / -fassociative-math -c /' 'has -fassociative-math'
  caught render/reader/rgb16.c 's/ -c / -freciprocal-math -c /' 'has -freciprocal-math'
  caught kernels/pairs/pairs_isa.c 's/$/ -ffp-contract=off/' '-ffp-contract=fast is not its last word, which is off'
fi
exact='--fmad=false --ftz=false --prec-div=true --prec-sqrt=true'
caught kernels/steps/planted.cu "s/\$/ $exact --fmad=true/" '--fmad=false is not its last word, which is fmad=true'
caught kernels/steps/planted.cu "s/\$/ $exact -use_fast_math/" 'has -use_fast_math'
caught kernels/exact_tree/cuda/planted.cu "s/\$/ $exact -Xcompiler=-Wall,-ffast-math/" 'has -ffast-math'
printf 'build a: C_COMPILER__a b.c\n  FLAGS = -ffast-math\n\nbuild b: C_EXECUTABLE_LINKER__b\n  LINK_FLAGS = -g -Ofast\n' \
  >"$folder/build.ninja"
found=$(links "$folder/build.ninja")
[ "$found" = "$folder/build.ninja: a program is linked with -Ofast" ] || { echo "of planted links, found: $found"; exit 1; }

mapfile -t files < <(find "$build" -name '*.ninja'; find "$build" -path '*.dir/link.txt')
found=$(judge "$build/compile_commands.json"; [ ${#files[@]} -eq 0 ] || links "${files[@]}")
[ -z "$found" ] || { printf 'bits would depend on the compiler:\n%s\n' "$found"; exit 1; }
# Nor does a file ask for other options itself.
found=$(cd "$root" && grep -rnE '#\s*pragma\s+(STDC\s+FP_CONTRACT|(GCC|clang)\s+(optimize|push_options|fp|target))|__attribute__\(\(.*optimize' \
  base kernels sim scenes render cmd --include='*.[ch]' --include='*.cu' --include='*.cuh')
[ -z "$found" ] || { printf 'options belong to the rows of CMakeLists.txt:\n%s\n' "$found"; exit 1; }

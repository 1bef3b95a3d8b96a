#!/usr/bin/env bash
# Where a warning ends the build: in continuous integration and in ./dev check, and nowhere else. And
# whose pictures ./dev pictures makes.
# usage: dev_test.sh SOURCE_FOLDER
set -euo pipefail
source=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
failures=0

# What ./dev calls, and how: programs of the same names that say their words and do nothing.
for name in cmake ctest apt-get dpkg-query clang-format ccache; do
  printf '#!/bin/sh\necho "$(basename "$0") $*" >>"%s/called"\n[ "$(basename "$0")" != dpkg-query ] || echo all installed\n' \
    "$folder" >"$folder/$name"
  chmod +x "$folder/$name"
done

# expect ON|none WORDS...: of the option, each time that ./dev configures with these words.
expect() {
  local wanted=$1
  shift
  : >"$folder/called"
  env PATH="$folder:$PATH" "$@" >/dev/null 2>&1 || { echo "FAILED: $*: status $?"; failures=$((failures + 1)); }
  local all=$(grep -c -- '--preset .*-DATTNSCOPE' "$folder/called")
  local told=$(grep -c -- "-DATTNSCOPE_WERROR=ON" "$folder/called")
  if [ "$all" -lt 1 ] || [ "$told" != "$([ "$wanted" = ON ] && echo "$all" || echo 0)" ] ||
    grep -q -- "-DATTNSCOPE_WERROR=OFF" "$folder/called"; then
    echo "FAILED: $*: expected $wanted of -DATTNSCOPE_WERROR=ON, got: $(grep -- --preset "$folder/called")"
    failures=$((failures + 1))
  fi
}
# What a build folder was told before stays: nothing is said.
expect none env -u CI "$source/dev" test
expect ON env CI=true "$source/dev" test
expect ON "$source/.ci/run"
expect ON env -u CI "$source/dev" check

# Continuous integration runs all tests, and those of some rooms once more with clang's sanitizers.
: >"$folder/called"
PATH="$folder:$PATH" "$source/.ci/run" >/dev/null 2>&1 || { echo "FAILED: .ci/run: status $?"; failures=$((failures + 1)); }
for words in 'ctest --test-dir build/release' 'ctest --test-dir build/sanitize'; do
  grep -q -- "^$words " "$folder/called" || { echo "FAILED: .ci/run: expected $words, got none"; failures=$((failures + 1)); }
done

# An interruption ends it where what it runs takes that for its own and answers with success.
mv "$folder/cmake" "$folder/cmake.kept"
printf '#!/bin/sh\nkill -INT $PPID\n' >"$folder/cmake"
chmod +x "$folder/cmake"
: >"$folder/called"
got=0
said=$(env --default-signal=INT PATH="$folder:$PATH" "$source/dev" test 2>&1) || got=$?
if [ "$got" != 130 ] || [[ $said != *"goes on from here" ]] || grep -q '^ctest' "$folder/called"; then
  echo "FAILED: an interruption: status $got, $said"
  failures=$((failures + 1))
fi
mv "$folder/cmake.kept" "$folder/cmake"

# Pictures: of a lab alone, or of all labs and of the docs. The program says what it was asked.
mkdir -p "$folder/tree/build/release"
cp "$source/dev" "$folder/tree/dev"
printf '#!/bin/sh\necho "$*" >>"%s/asked"\n[ "$1" != labs ] || %s\n' "$folder" \
  "echo '{\"labs\": [{\"id\": \"masks\", \"picture\": {\"preset\": \"p\", \"figure\": \"f\"}}]}'" \
  >"$folder/tree/build/release/attnscope"
printf '#!/bin/sh\n' >"$folder/pngquant"
chmod +x "$folder/tree/build/release/attnscope" "$folder/pngquant"
picture='export masks --preset p --figure f .*-o docs/labs/masks.png'
for lab in masks ''; do
  : >"$folder/asked"
  : >"$folder/called"
  env PATH="$folder:$PATH" "$folder/tree/dev" pictures $lab >/dev/null 2>&1 ||
    { echo "FAILED: dev pictures $lab: status $?"; failures=$((failures + 1)); }
  grep -qx 'cmake --build --preset release --target attnscope' "$folder/called" ||
    { echo "FAILED: dev pictures $lab: expected the program to be built, got: $(cat "$folder/called")"; failures=$((failures + 1)); }
  others=$(grep -vc -e '^labs' -e "^$picture" "$folder/asked" || true)
  if ! grep -q "^$picture" "$folder/asked" || ! grep -qx "labs ${lab:+$lab }--json" "$folder/asked" ||
    [ "$([ "$others" -eq 0 ] && echo alone)" != "${lab:+alone}" ]; then
    echo "FAILED: dev pictures $lab: expected the picture of masks ${lab:+alone}, got: $(cat "$folder/asked")"
    failures=$((failures + 1))
  fi
done

# Without pngquant, and where it cannot be installed, pictures are made all the same, and it is said.
mkdir "$folder/bare"
for name in bash cat cut df dirname env grep id nproc printf sh tail; do
  ln -s "$(type -P $name)" "$folder/bare/$name"
done
mv "$folder/pngquant" "$folder/apt-get" "$folder/dpkg-query" "$folder/bare"
rm "$folder/bare/pngquant"
printf '#!/bin/sh\n[ "$1" = --audit ] || case $* in *pngquant) ;; *) echo all installed ;; esac\n' >"$folder/dpkg-query"
printf '#!/bin/sh\nexit 100\n' >"$folder/apt-get"
printf '#!/bin/sh\nexit 1\n' >"$folder/sudo"
chmod +x "$folder"/{dpkg-query,apt-get,sudo}
: >"$folder/asked"
env PATH="$folder:$folder/bare" "$folder/tree/dev" pictures masks >"$folder/said" 2>&1 ||
  { echo "FAILED: dev pictures without pngquant: status $?: $(cat "$folder/said")"; failures=$((failures + 1)); }
grep -q "^$picture" "$folder/asked" && grep -q "without pngquant" "$folder/said" ||
  { echo "FAILED: dev pictures without pngquant: expected a picture and a word, got: $(cat "$folder/asked" "$folder/said")"
    failures=$((failures + 1)); }
mv "$folder"/bare/{apt-get,dpkg-query} "$folder"
rm "$folder/sudo"

# What is missing is installed by sudo: asked for at a terminal, and nowhere else; said in every case.
for name in id sudo dpkg-query df; do rm -f "$folder/$name"; done
printf '#!/bin/sh\necho 1000\n' >"$folder/id"
printf '#!/bin/sh\necho "sudo $*" >>"%s/called"\n' "$folder" >"$folder/sudo"
printf '#!/bin/sh\n' >"$folder/dpkg-query" # nothing is installed
printf '#!/bin/sh\necho Avail\necho "${FREE:-100000}"\n' >"$folder/df"
chmod +x "$folder"/{id,sudo,dpkg-query,df}

# installs YES|NO WHAT COMMAND...
installs() {
  local wanted=$1 what=$2 got=NO
  shift 2
  : >"$folder/called"
  env PATH="$folder:$PATH" "$@" >"$folder/said" 2>&1 </dev/null || true
  if grep -q "^sudo .*install -y .*libglfw3-dev" "$folder/called"; then got=YES; fi
  [ "$got" = "$wanted" ] || { echo "FAILED: $what: expected $wanted, got $got: $(cat "$folder/said")"; failures=$((failures + 1)); }
}
# at_terminal ANSWER: ./dev deb, there.
at_terminal() { echo "$1" | script -qec "env PATH=$folder:$PATH $source/dev deb" /dev/null; }
export -f at_terminal
export folder source
installs YES "away from a terminal" "$source/dev" deb
grep -q "installing .*libglfw3-dev" "$folder/said" || { echo "FAILED: what is installed is not said"; failures=$((failures + 1)); }
installs YES "yes at a terminal" bash -c 'at_terminal y'
installs NO "no at a terminal" bash -c 'at_terminal n'
grep -q "may sudo install these" "$folder/said" || { echo "FAILED: nobody was asked"; failures=$((failures + 1)); }
installs NO "with too little room" env FREE=900 "$source/dev" deb
grep -q "0 GB are left here, about 4 GB are needed" "$folder/said" ||
  { echo "FAILED: too little room: $(cat "$folder/said")"; failures=$((failures + 1)); }
# Another system's root: what it lacks is said before anything is made.
printf '#!/bin/sh\necho 0\n' >"$folder/id"
printf '#!/bin/sh\necho all installed\n' >"$folder/dpkg-query"
printf '#!/bin/sh\necho "E: no mirror"\nexit 1\n' >"$folder/debootstrap"
chmod +x "$folder/debootstrap"
cp "$source/dev" "$folder/tree/dev"
# refuses STATUS WORDS SYSTEM
refuses() {
  local got=0
  env PATH="$folder:$PATH" UBUNTU_KEYS="$folder/no-keys" "$folder/tree/dev" elsewhere "$3" >"$folder/said" 2>&1 || got=$?
  if [ "$got" != "$1" ] || ! grep -q "$2" "$folder/said"; then
    echo "FAILED: elsewhere $3: expected status $1 and \"$2\", got $got: $(cat "$folder/said")"
    failures=$((failures + 1))
  fi
}
refuses 2 'expected debian-12, debian-13 or ubuntu-24.04, got "nowhere"' nowhere
refuses 1 "ubuntu-archive-keyring.gpg of Ubuntu's package ubuntu-keyring" ubuntu-24.04
refuses 1 'the bare root was not made' debian-13
FREE=900 refuses 1 'about 4 GB are needed' debian-13
[ ! -e "$folder/tree/build/elsewhere/debian-13/bare" ] || { echo "FAILED: a root that was not made"; failures=$((failures + 1)); }

rm "$folder"/{id,sudo,dpkg-query,df,debootstrap}

# An archive that was unpacked in part says so; a whole one starts the program with its words.
mkdir -p "$folder/unpacked/lib"
sed -n "/<<'LAUNCHER'/,/^LAUNCHER/p" "$source/packaging/archive.sh" | sed '1d;$d' >"$folder/unpacked/attnscope"
printf '#!/bin/sh\necho "started $*"\n' >"$folder/unpacked/lib/attnscope"
chmod +x "$folder/unpacked/attnscope" "$folder/unpacked/lib/attnscope"
got=0
said=$("$folder/unpacked/attnscope" labs 2>&1) || got=$?
[ "$got" = 1 ] && [[ $said == *"holds only a part of the archive: unpack it again" ]] ||
  { echo "FAILED: half an archive: status $got, $said"; failures=$((failures + 1)); }
touch "$folder/unpacked/whole"
said=$("$folder/unpacked/attnscope" labs 2>&1) || said="status $?: $said"
[ "$said" = "started labs" ] || { echo "FAILED: a whole archive: $said"; failures=$((failures + 1)); }

# And that the option does what it says; who says nothing has it off.
for wanted in OFF ON; do
  cmake -S "$source" -B "$folder/$wanted" -G Ninja -DATTNSCOPE_CORE_ONLY=ON \
    $([ "$wanted" = OFF ] || echo -DATTNSCOPE_WERROR=ON) >/dev/null
  got=$(grep -q -- ' -Werror ' "$folder/$wanted/compile_commands.json" && echo ON || echo OFF)
  if [ "$got" != "$wanted" ]; then
    echo "FAILED: with the option $wanted, -Werror is $got"
    failures=$((failures + 1))
  fi
done
exit "$((failures > 0))"

# Sourced by the scripts that build libraries for another system: Debian's sources, fetched and checked, and each
# library made of them once. They say where things lie ($work, $sources, $unpacked, $libraries, $prefix, $root), how they
# speak (say), and what makes NAME (make_NAME).

# package NAME LIBRARY FLAGS VERSION: a .pc file for what brings none.
package() {
  printf 'Name: %s\nDescription: %s\nVersion: %s\nLibs: -L%s/lib %s\nCflags: -I%s/include %s\n' \
    "$1" "$1" "$4" "$prefix" "$2" "$prefix" "$3" >"$libraries/lib/pkgconfig/$1.pc"
}

# config NAME TARGET INCLUDES PACKAGE: what find_package(NAME) reads.
config() {
  local folder=$libraries/lib/cmake/$1 version
  version=$(dpkg-query -W -f '${source:Upstream-Version}' "$4" | sed 's/[+~].*//')
  mkdir -p "$folder"
  cat >"$folder/$1Config.cmake" <<EOF
if(NOT TARGET $2)
  add_library($2 INTERFACE IMPORTED)
  set_target_properties($2 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$3")
endif()
EOF
  printf 'set(PACKAGE_VERSION "%s")\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n' "$version" \
    >"$folder/$1ConfigVersion.cmake"
}

# headers NAME...: libraries that are headers alone, the same for every system, as this machine has them.
headers() {
  local to=$libraries/include from
  for from in "$@"; do
    rm -rf "${to:?}/$from"
    cp -a "/usr/include/$from" "$to/"
  done
  config Eigen3 Eigen3::Eigen "$to/eigen3" libeigen3-dev
  config nlohmann_json nlohmann_json::nlohmann_json "$to" nlohmann-json3-dev
  config CLI11 CLI11::CLI11 "$to" libcli11-dev
  config doctest doctest::doctest "$to" doctest-dev
}

# fetch SUITE PACKAGE FILE SHA256: the tarball lies in the folder of sources and is the one that is meant.
fetch() {
  local file=$sources/$3 folder
  if [ ! -e "$file" ]; then
    mkdir -p "$sources"
    folder=$(mktemp -d -p "$work")
    source_index
    (cd "$folder" && apt-get "${apt[@]}" -qq source --download-only --tar-only "$2/$1") || {
      rm -r "$folder"
      say "the source of $2 could not be fetched; what apt-get said stands above. Run the same command again: it goes on from here"
      exit 1
    }
    [ ! -e "$folder/$3" ] || mv "$folder/$3" "$file"
    rm -r "$folder"
    [ -e "$file" ] || {
      say "expected $3 as the source of $2, but $1 has another version of it now"
      exit 1
    }
  fi
  echo "$4  $file" | sha256sum --check --status || {
    say "$file is not what sources.csv names: expected SHA-256 $4, got $(sha256sum "$file" | cut -d' ' -f1). Delete it to fetch it anew"
    exit 1
  }
}

# The index of Debian's sources, from where this machine has its packages, in a folder of its own.
source_index() {
  local etc=$work/apt/etc file suite
  apt=(-o "Dir::Etc::sourcelist=/dev/null" -o "Dir::Etc::sourceparts=$etc" -o "Dir::State::lists=$work/apt/lists"
    -o "Dir::Cache=$work/apt/cache" -o "APT::Sandbox::User=root")
  [ ! -e "$work/apt/done" ] || return 0
  mkdir -p "$etc" "$work/apt/lists/partial" "$work/apt/cache"
  for suite in bookworm trixie; do
    for file in /etc/apt/sources.list.d/debian.sources; do
      [ ! -e "$file" ] || sed "s/^Types:.*/Types: deb-src/; s/\b\(bookworm\|trixie\)/$suite/g" "$file" >"$etc/$suite.sources"
    done
    [ ! -e /etc/apt/sources.list ] ||
      sed -n "s/\b\(bookworm\|trixie\)/$suite/g; s/^deb /deb-src /p" /etc/apt/sources.list >"$etc/$suite.list"
  done
  apt-get "${apt[@]}" -qq update
  touch "$work/apt/done"
}

# What a library is made from, so that a change makes it anew.
state_of() {
  {
    echo "$4 $flags"
    declare -f "make_$2" $recipes
  } | sha256sum
}

make_library() {
  local name=$2 done=$work/done/$2 log=$work/log/$2.log begun=$SECONDS
  fetch "$@"
  [ "$(cat "$done" 2>/dev/null)" != "$(state_of "$@")" ] || return 0
  rm -rf "${unpacked:?}/$name"
  mkdir -p "$unpacked/$name"
  tar --extract --file "$sources/$3" --directory "$unpacked/$name" --strip-components=1
  # A subshell of its own shell: what fails in it ends it.
  if (cd "$unpacked/$name" && bash "$here/libraries.sh" --make "$name") >"$log" 2>&1; then
    state_of "$@" >"$done"
    say "$name: $((SECONDS - begun)) s"
    [ -n "${ATTNSCOPE_KEEP:-}" ] || rm -rf "${unpacked:?}/$name"
  else
    tail -n 25 "$log" >&2
    say "$name could not be made: $log"
    exit 1
  fi
}

# make_libraries [NAME...]: those of the list that are named, else all; what is done already is not done again.
make_libraries() {
  local suite package file hash
  mkdir -p "$work/log" "$work/done" "$unpacked" "$libraries/lib/pkgconfig" "$libraries/include"
  while IFS=, read -r suite package file hash; do
    [ "$suite" != suite ] || continue
    [ $# -eq 0 ] || [[ " $* " == *" $package "* ]] || continue
    make_library "$suite" "$package" "$file" "$hash"
  done <"$tree/packaging/sources.csv"
}

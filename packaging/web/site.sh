#!/usr/bin/env bash
# Puts the page together: build/web/site. The files of a version have its name in the service worker, so that a new
# one replaces them together.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
site=$work/site
rm -rf "$site.new"
mkdir -p "$site.new"
cp "$work/program/attnscope.js" "$work/program/attnscope.wasm" "$site.new/"
cp "$here"/page/* "$site.new/"
cp -r "$work/program/later" "$site.new/later"
python3 "$here/pictures.py" "$tree" "$site.new"
# What is fetched has a name in the page.
for kind in "$site.new"/later/*/; do
  grep -q "^  $(basename "$kind"): " "$site.new/files.js" || {
    say "files.js: expected a name of what lies in later/$(basename "$kind")"
    exit 1
  }
done
version=$(cd "$site.new" && find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
# The worker itself is what a browser asks for anew.
files=$(cd "$site.new" && find . -type f ! -name sw.js ! -path './pictures/*' -printf "'%P', " | sort)
sed -i "s/VERSION/$version/; s|FILES|['./', ${files%, }]|" "$site.new/sw.js"
# For hosts that send what is compressed already.
for file in attnscope.js attnscope.wasm; do
  brotli --quality=11 --lgwin=24 --keep --force "$site.new/$file"
done
rm -rf "$site"
mv "$site.new" "$site"
say "$site: $(du -sb "$site" --exclude='*.br' | cut -f1) bytes, of which $(stat -c %s "$site/attnscope.wasm.br") + \
$(stat -c %s "$site/attnscope.js.br") travel where the host sends brotli"

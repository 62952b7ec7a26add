#!/bin/sh
# Runs every fuzz target of the module for the given time, or number of inputs,
# each: fuzz.sh 10s, fuzz.sh 2000x
set -eu
for_each=${1:-10s}
cd "$(dirname "$0")/.."
cache=$(go env GOCACHE)/fuzz
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

# Only the packages with a target are built, each once: linking takes longer
# than a few thousand inputs.
for folder in $(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u); do
  package=$(go list "$folder")
  go test -c -fuzz . -o "$built/fuzz.test" "$package"
  for target in $(cat "$folder"/*_test.go | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(f .*/\1/p'); do
    echo "== $package $target"
    (cd "$folder" && "$built/fuzz.test" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$for_each" \
      -test.fuzzcachedir "$cache/$package")
  done
done

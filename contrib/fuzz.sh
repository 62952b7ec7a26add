#!/bin/sh
# Runs every fuzz target of the module for the given time, or number of inputs,
# each: fuzz.sh 10s, fuzz.sh 2000x
set -eu
for package in $(go list ./...); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-10s}" "$package"
  done
done

#!/bin/sh
# Runs every fuzz target of the module for the given time each: fuzz.sh 10s
set -eu
for package in $(go list ./...); do
  for target in $(go test -list '^Fuzz' "$package" | grep '^Fuzz' || true); do
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${1:-10s}" "$package"
  done
done

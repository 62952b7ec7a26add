#!/usr/bin/env bash
# Makes everything that a release consists of, in the folder dist or the one
# given: static binaries in tarballs for Linux, macOS and Windows, .deb and .rpm
# packages, and checksums. The version is that of the commit's tag.
#
# TARGETS, such as "linux/amd64 darwin/arm64", makes some of them only.
set -euo pipefail
cd "$(dirname "$0")/../.."

nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.48.0
out=${1:-dist}
targets=${TARGETS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}

# Without a tag it is nobody's release, and its number says so.
tag=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null || echo "v0.0.0-$(git rev-parse --short=12 HEAD)")
export VERSION=${tag#v}
# A rebuild of the same commit gives the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out"/the-loop* "$out"/SHA256SUMS
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # OS ARCH FILE
  GOOS=$1 GOARCH=$2 CGO_ENABLED=0 go build -buildvcs=true -trimpath -ldflags='-s -w' -o "$3" .
}

# What is the same on every system.
mkdir -p "$work/common/completions" "$work/common/man"
build "$(go env GOHOSTOS)" "$(go env GOHOSTARCH)" "$work/the-loop"
"$work/the-loop" man >"$work/common/man/the-loop.1"
for shell in bash zsh fish; do
  "$work/the-loop" completion "$shell" >"$work/common/completions/the-loop.$shell"
done
cp README.md CHANGELOG.md "$work/common/"
gzip -9 -n -k "$work/common/man/the-loop.1"

# A package puts the program into /usr/bin.
mkdir "$work/systemd"
sed 's,%h/.local/bin/the-loop,/usr/bin/the-loop,' contrib/systemd/the-loop.service >"$work/systemd/the-loop.service"
sed 's,/usr/local/bin/the-loop,/usr/bin/the-loop,' contrib/systemd/the-loop@.service >"$work/systemd/the-loop@.service"

for target in $targets; do
  os=${target%/*} arch=${target#*/}
  printf '== %s %s %s\n' "$VERSION" "$os" "$arch"
  name=the-loop_${VERSION}_${os}_${arch}
  suffix=
  [ "$os" != windows ] || suffix=.exe
  cp -r "$work/common" "$work/$name"
  rm "$work/$name/man/the-loop.1.gz"
  build "$os" "$arch" "$work/$name/the-loop$suffix"
  case $os in
  linux) cp -r contrib/systemd "$work/$name/systemd" ;;
  darwin) cp -r contrib/launchd "$work/$name/launchd" ;;
  esac
  tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" |
    gzip -9 -n >"$out/$name.tar.gz"
  if [ "$os" = linux ]; then
    export ARCH=$arch PROGRAM="$work/$name/the-loop" STAGE=$work
    for packager in deb rpm; do
      GOFLAGS=-mod=mod go run "$nfpm" package --config contrib/release/nfpm.yaml --packager "$packager" --target "$out"
    done
  fi
done

cd "$out"
sha256sum the-loop* >SHA256SUMS

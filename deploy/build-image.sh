#!/usr/bin/env bash
# Builds the image of ./Dockerfile; `--help` says how.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: deploy/build-image.sh [--tag NAME] [--target STAGE] [--with docker|buildah] [--mirror URL]

Builds the image of ./Dockerfile: with docker where its daemon answers, else with buildah (chroot isolation), which needs root and the
packages buildah and debootstrap. For buildah the base is Debian by debootstrap, with the Node and npm of the npm registry in it; it is
made once and kept beside the other images.

  --tag NAME       name of the image (slipway:service)
  --target STAGE   service, or local with the chain and block engine of one machine (service)
  --with BUILDER   docker or buildah, whichever is there otherwise
  --mirror URL     Debian mirror for the base; otherwise the one apt is configured with

npm asks the registry of this machine's npm configuration, in the build too. `deploy/run-image.sh --help` runs what was built.
HELP
}

fail() {
  echo "build-image: $1" >&2
  exit "${2:-1}"
}

cd "$(dirname "$0")/.."
tag=slipway:service target=service with='' mirror=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --tag | --target | --with | --mirror)
      [ $# -gt 1 ] || fail "$1 needs a value" 2
      declare "${1#--}=$2"
      shift 2
      ;;
    *) fail "there is no $1; --help says what there is" 2 ;;
  esac
done

has() { command -v "$1" >/dev/null; }
if [ -z "$with" ]; then
  if has docker && docker info >/dev/null 2>&1; then with=docker; else with=buildah; fi
fi

# What npm is configured with: the file itself, and the authorities that it believes.
npm_setting() { npm config get "$1" 2>/dev/null | grep -vxE 'null|undefined' || true; }
cafile=$(npm_setting cafile) registry=$(npm_setting registry)
settings=$(mktemp) folder=''
trap 'rm -rf "$settings" ${folder:+"$folder"}' EXIT
{
  [ ! -r "$(npm_setting userconfig)" ] || grep -vE '^\s*(cafile|registry|nodedir)\s*=' "$(npm_setting userconfig)" || true
  [ -z "$registry" ] || echo "registry=$registry"
  [ -z "$cafile" ] || echo 'cafile=/run/npm-ca.pem'
} >"$settings"
secrets=(--secret "id=npmrc,src=$settings")
[ -z "$cafile" ] || secrets+=(--secret "id=npm-ca,src=$cafile")

case $with in
  docker)
    docker build --target "$target" --tag "$tag" "${secrets[@]}" .
    exit
    ;;
  buildah) ;;
  *) fail "--with is docker or buildah, not $with" 2 ;;
esac

[ "$(id -u)" = 0 ] || fail 'without a docker daemon it is built by buildah, and that needs root here'
for program in buildah debootstrap npm openssl; do
  has "$program" || fail "$program is not on PATH; on Debian: apt-get install --no-install-recommends buildah debootstrap npm"
done

node_image=$(sed -nE 's/^ARG NODE_IMAGE=//p' Dockerfile)
version=$(sed -E 's/^node:([0-9.]+)-.*/\1/' <<<"$node_image")
suite=$(sed -E 's/^node:[0-9.]+-([a-z]+).*/\1/' <<<"$node_image")
base=localhost/$node_image

debian_mirror() {
  has apt-get || return 0
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN)/$(LABEL) $(COMPONENT)' 'Created-By: Packages' |
    awk '$2 == "Debian/Debian" && $3 == "main" { print $1; exit }'
}

# Packs a package of the registry and prints the path of what it packed, after its checksum has been compared with the lock's.
packed() {
  local name=$1 folder=$2 locked=$3 file
  file=$(npm pack --silent --pack-destination "$folder" "$name")
  local found
  found=sha512-$(openssl dgst -sha512 -binary "$folder/$file" | base64 -w0)
  [ -z "$locked" ] || [ "$found" = "$locked" ] || fail "$name is not what package-lock.json names"
  echo "$folder/$file"
}

make_base() {
  : "${mirror:=$(debian_mirror)}"
  [ -n "$mirror" ] || fail 'apt knows no Debian mirror here: name one by --mirror' 2
  local cpu package locked npm
  folder=$(mktemp -d)
  case $(uname -m) in x86_64) cpu=x64 ;; aarch64) cpu=arm64 ;; *) fail "there is no Node for $(uname -m) in the registry" ;; esac
  debootstrap --variant=minbase "$suite" "$folder/root" "$mirror" >"$folder/log" || {
    tail "$folder/log" >&2
    fail 'debootstrap ended without a base'
  }
  rm -rf "$folder"/root/var/cache/apt/archives/*.deb "$folder"/root/var/lib/apt/lists/* "$folder"/root/debootstrap
  package=node-linux-$cpu
  locked=$(sed -nE "/\"node_modules\/$package\": \{/,/\}/s/.*\"integrity\": \"(.*)\".*/\1/p" package-lock.json)
  mkdir -p "$folder/node" "$folder/root/usr/local/lib/node_modules"
  tar -xzf "$(packed "$package@$version" "$folder" "$locked")" -C "$folder/node"
  install -m 755 "$folder/node/package/bin/node" "$folder/root/usr/local/bin/node"
  npm=$(npm --version)
  tar -xzf "$(packed "npm@$npm" "$folder" '')" -C "$folder/root/usr/local/lib/node_modules" --transform='s/^package/npm/'
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/root/usr/local/bin/npm"
  chmod 755 "$folder/root/usr/local/lib/node_modules/npm/bin/npm-cli.js"
  local container
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$folder/root" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --cmd node "$container"
  buildah commit --quiet --rm "$container" "$base" >/dev/null
  rm -rf "$folder"
}

buildah inspect --type image "$base" >/dev/null 2>&1 || {
  echo "build-image: making the base $base by debootstrap …" >&2
  make_base
}
buildah build --isolation chroot --format docker --layers --pull-never --build-arg "NODE_IMAGE=$base" \
  --target "$target" --tag "$tag" "${secrets[@]}" .

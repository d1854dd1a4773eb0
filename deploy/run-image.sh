#!/usr/bin/env bash
# Runs what an image can be; `--help` says how.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: deploy/run-image.sh [OPTIONS] IMAGE [COMMAND…]

`docker run --rm --read-only --tmpfs /tmp` where a docker daemon answers. Else the image of deploy/build-image.sh runs by chroot, as its own
user on a file system that it cannot write, with nothing but /tmp and its volumes, on the network of this machine; that needs root and buildah.

  --env-file FILE        variables, NAME=VALUE a line
  -e, --env NAME[=VALUE] one variable; by name alone, this environment's
  -v, --volume A:B[:ro]  shows the folder or file A as B
  --entrypoint PROGRAM   runs it in place of the image's own
  --network NAME         of docker; without it, this machine's network
  --with docker|chroot   whichever is there otherwise

COMMAND is api, worker, migrate [up|status|down], ops …, and of a local image chain, block-engine, prepare.
HELP
}

fail() {
  echo "run-image: $1" >&2
  exit "${2:-1}"
}

variables=() volumes=() entrypoint='' network='' with=''
add() {
  case $1 in *=*) variables+=("$1") ;; *) [ -z "${!1+set}" ] || variables+=("$1=${!1}") ;; esac
}
add_file() {
  [ -r "$1" ] || fail "cannot read $1"
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in '' | '#'*) ;; *) add "$line" ;; esac
  done <"$1"
}
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --env-file | -e | --env | -v | --volume | --entrypoint | --network | --with)
      [ $# -gt 1 ] || fail "$1 needs a value" 2
      case $1 in
        --env-file) add_file "$2" ;;
        -e | --env) add "$2" ;;
        -v | --volume) volumes+=("$2") ;;
        --entrypoint) entrypoint=$2 ;;
        --network) network=$2 ;;
        --with) with=$2 ;;
      esac
      shift 2
      ;;
    -*) fail "there is no $1; --help says what there is" 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { usage >&2 && exit 2; }
image=$1
shift

if [ -z "$with" ]; then
  if command -v docker >/dev/null && docker info >/dev/null 2>&1; then with=docker; else with=chroot; fi
fi
if [ "$with" = docker ]; then
  arguments=(--rm --init --read-only --tmpfs /tmp --network "${network:-host}")
  # By name alone: who lists processes sees no value. What docker itself reads of the environment keeps its value here.
  for variable in "${variables[@]}"; do
    case $variable in
      PATH=* | HOME=* | DOCKER_*) arguments+=(--env "$variable") ;;
      *)
        export "${variable?}"
        arguments+=(--env "${variable%%=*}")
        ;;
    esac
  done
  for volume in "${volumes[@]}"; do arguments+=(--volume "$volume"); done
  [ -z "$entrypoint" ] || arguments+=(--entrypoint "$entrypoint")
  exec docker run "${arguments[@]}" "$image" "$@"
fi
[ "$with" = chroot ] || fail "--with is docker or chroot, not $with" 2
[ "$(id -u)" = 0 ] || fail 'without a docker daemon it runs by chroot, and that needs root'
command -v buildah >/dev/null || fail 'buildah is not on PATH; on Debian: apt-get install --no-install-recommends buildah'

container=$(buildah from --pull-never "$image") || fail "there is no image $image: deploy/build-image.sh builds it"
child=''
# shellcheck disable=SC2317,SC2329
leave() { buildah rm "$container" >/dev/null 2>&1; }
trap leave EXIT
of_image() { buildah inspect --type container --format "{{range .OCIv1.Config.$1}}{{println .}}{{end}}" "$container"; }
one_of_image() { buildah inspect --type container --format "{{.OCIv1.Config.$1}}" "$container"; }
mapfile -t built_in < <(of_image Env | sed '/^$/d')
mapfile -t start < <(of_image Entrypoint | sed '/^$/d')
[ -z "$entrypoint" ] || start=("$entrypoint")
if [ $# -eq 0 ] && [ -z "$entrypoint" ]; then mapfile -t command < <(of_image Cmd | sed '/^$/d'); else command=("$@"); fi
user=$(one_of_image User) workdir=$(one_of_image WorkingDir)
root=$(buildah mount "$container")

# Everything below is mounted for this process alone, and gone with it.
# shellcheck disable=SC2016
in_root='
set -eu
root=$1 user=$2 workdir=$3 volumes=$4
shift 4
mount --make-rprivate /
for volume in $volumes; do
  from=${volume%%:*} rest=${volume#*:}
  to=$root${rest%%:*}
  if [ -d "$from" ]; then mkdir -p "$to"; else mkdir -p "${to%/*}" && touch "$to"; fi
done
touch "$root/etc/resolv.conf" "$root/etc/hosts"
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmpfs "$root/tmp"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
for device in null zero full random urandom; do touch "$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"; done
ln -s /proc/self/fd "$root/dev/fd"
for file in resolv.conf hosts; do mount --bind "/etc/$file" "$root/etc/$file"; done
for volume in $volumes; do
  from=${volume%%:*} rest=${volume#*:}
  to=$root${rest%%:*}
  mount --bind "$from" "$to"
  case $rest in *:ro) mount -o remount,bind,ro "$to" ;; esac
done
exec chroot "$root" setpriv --reuid="${user%%:*}" --regid="${user##*:}" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
  /bin/sh -c "cd \"\$0\" && exec \"\$@\"" "$workdir" "$@"
'
env -i "${built_in[@]}" "${variables[@]}" unshare --mount /bin/sh -c "$in_root" run-image "$root" "${user:-0:0}" "${workdir:-/}" \
  "${volumes[*]}" "${start[@]}" "${command[@]}" <&0 &
child=$!
# shellcheck disable=SC2064
for signal in TERM INT HUP; do trap "kill -$signal $child 2>/dev/null || true" "$signal"; done
status=0
wait "$child" || status=$?
# A signal ends the wait, not what was waited for.
while kill -0 "$child" 2>/dev/null; do
  status=0
  wait "$child" || status=$?
done
exit "$status"

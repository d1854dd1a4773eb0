#!/bin/bash
# What deploy/run-image.sh and deploy/build-image.sh ask of Docker, on a machine without its daemon. `build` gives a name to the files
# that the test has laid out as the Dockerfile says; `run` starts them with nothing of this machine but its programs: in a root that
# cannot be written but for /tmp, as the image's user, with the named variables and volumes. The rest needs a daemon and is refused.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-} in
  info) exit 0 ;;
  build)
    while [ $# -gt 0 ]; do
      [ "$1" != --tag ] || touch "$here/images/$2"
      shift
    done
    exit 0
    ;;
  run) shift ;;
  *)
    echo "docker: no daemon runs here" >&2
    exit 1
    ;;
esac

mapfile -t variables <"$here/image.env"
entry=(/bin/sh deploy/image/entry.sh) volumes=()
while [ $# -gt 0 ]; do
  case $1 in
    --rm | --init | --read-only) shift && continue ;;
    --env) case $2 in *=*) variables+=("$2") ;; *) variables+=("$2=${!2}") ;; esac ;;
    --volume) volumes+=("$2") ;;
    --entrypoint) entry=("$2") ;;
    --tmpfs | --network) ;;
    -*) echo "docker run: there is no $1 here" >&2 && exit 125 ;;
    *) break ;;
  esac
  shift 2
done
[ -e "$here/images/$1" ] || { echo "Unable to find image '$1' locally" >&2 && exit 125; }
shift

# shellcheck disable=SC2016
in_root='
set -eu
here=$1 volumes=$2 chroot=$3
shift 3
root=/run/containers/$$
mkdir -p "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
shown() { mkdir -p "$root$2" && mount --bind "$1" "$root$2" && mount -o remount,bind,ro "$root$2"; }
for folder in /bin /sbin /lib /lib64; do
  if [ -L "$folder" ]; then ln -s "$(readlink "$folder")" "$root$folder"; elif [ -d "$folder" ]; then shown "$folder" "$folder"; fi
done
shown /usr /usr
shown "$here/node" /node
shown "$here/image" /app
shown "$(cat "$here/modules")" /app/node_modules
mkdir -p "$root/etc" "$root/proc" "$root/dev" "$root/tmp"
cp /etc/hosts /etc/resolv.conf /etc/nsswitch.conf "$root/etc"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
for volume in $volumes; do
  from=${volume%%:*} rest=${volume#*:}
  shown "$from" "${rest%%:*}"
done
mount -o remount,ro "$root"
exec "$chroot" "$root" setpriv --reuid=10001 --regid=10001 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
  /bin/sh -c "cd /app && exec \"\$@\"" image "$@"
'
exec env -i "${variables[@]}" unshare --mount --propagation private /bin/bash -c "$in_root" image "$here" "${volumes[*]}" "$(command -v chroot)" \
  "${entry[@]}" "$@"

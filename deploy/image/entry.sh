#!/bin/sh
# What the image can be: api, worker, migrate [up|status|down], ops …; of the local image also local-api, local-worker, local-ops, chain, block-engine, prepare.
# Variables of a file that another container wrote count where the environment does not set them.
set -eu
role=${1:-api}
[ $# -gt 0 ] && shift
if [ -r /run/slipway/service.env ]; then
  while read -r line; do
    name=${line%%=*}
    eval "[ -n \"\${$name:-}\" ]" || export "$line"
  done < /run/slipway/service.env
fi
case $role in
  api) exec node api/main.ts "$@" ;;
  worker) exec node worker/main.ts "$@" ;;
  migrate) [ $# -gt 0 ] || set -- up; exec node db/migrate.ts "$@" ;;
  ops) exec node ops/main.ts "$@" ;;
  local-api) exec node dev/local/api-main.ts "$@" ;;
  local-worker) exec node dev/local/worker-main.ts "$@" ;;
  local-ops) exec node dev/local/ops-main.ts "$@" ;;
  chain) exec node dev/localnet/main.ts --host 0.0.0.0 "$@" ;;
  block-engine) exec node dev/block-engine/main.ts --host 0.0.0.0 "$@" ;;
  prepare) exec node dev/container/prepare.ts "$@" ;;
  *) echo "there is no \"$role\" in this image: api, worker, migrate, ops" >&2; exit 2 ;;
esac

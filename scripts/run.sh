#!/bin/sh
# Installs what is missing, then runs a command of this checkout in an environment that cannot break its local parts:
# variables that a shell sets for other programs (options of Node and libpq) are dropped, and no proxy stands before loopback.
unset NODE_OPTIONS NODE_PATH NODE_UNIQUE_ID NODE_ENV NODE_DEBUG NODE_V8_COVERAGE NODE_TLS_REJECT_UNAUTHORIZED NODE_PENDING_DEPRECATION DEBUG
for name in $(env | sed -n 's/^\(PG[A-Z]*\)=.*/\1/p'); do unset "$name"; done
no_proxy="127.0.0.1,localhost,::1${no_proxy:+,$no_proxy}"
NO_PROXY=$no_proxy
no_grpc_proxy=$no_proxy
export no_proxy NO_PROXY no_grpc_proxy

node scripts/setup.mjs || exit
exec "$@"

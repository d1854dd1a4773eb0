#!/bin/sh
# Verifies a webhook with its secret, with openssl: verify_webhook.sh whsec_… ID TIMESTAMP SIGNATURES HANDLED < body
# HANDLED is a file with the ids that were accepted, one a line. Exit code 0: accepted; 1: refused, answer 400;
# 2: handled before, answer 200: each event comes at least once, and again until it is taken.
set -eu
secret=$1 id=$2 timestamp=$3 signatures=$4 handled=$5
case $timestamp in '' | 0* | *[!0-9]*) exit 1 ;; esac
age=$(($(date +%s) - timestamp))
[ "$age" -le 300 ] && [ "$age" -ge -300 ] || exit 1
key=$(printf '%s' "${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
# The body goes through no variable, which would lose its last line breaks.
expected=$({ printf '%s.%s.' "$id" "$timestamp" && cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $signatures " in *" v1,$expected "*) ;; *) exit 1 ;; esac
if grep -qxF -e "$id" "$handled" 2>/dev/null; then exit 2; fi
printf '%s\n' "$id" >>"$handled"

#!/bin/sh
# Prints events as they come, one a line, with curl: stream.sh https://site.example/api/public/v1 cursor.txt
# The file keeps the cursor of the last printed event: the same command goes on there. Without it, it begins with now.
set -eu
url=$1
state=$2
while :; do
  id='' data='' name=''
  cursor=$(cat "$state" 2>/dev/null || echo now)
  # Every 4 s there is a sign of life: a connection without one is dead.
  curl -fsSN --get "$url/events/stream" --data-urlencode "after=$cursor" --speed-limit 1 --speed-time 30 \
    --write-out 'status: %{http_code}\n' |
    while IFS= read -r line; do
      case $line in
      'event: '*) name=${line#event: } ;;
      'id: '*) id=${line#id: } ;;
      'data: '*) data=${line#data: } ;;
      '')
        # Only now: the connection may have ended within a line.
        [ -z "$data" ] || [ "$name" = heartbeat ] || printf '%s\n' "$data"
        data='' name=''
        # Renamed, so that the file is never half written.
        [ -z "$id" ] || { printf '%s\n' "$id" >"$state.new" && mv "$state.new" "$state"; }
        ;;
      # 429 and 5xx pass; others stay, such as 404: the cursor is too old.
      'status: 429') ;;
      'status: 4'*) exit 1 ;;
      esac
    done || exit 1
  # A stream ends itself after 15 minutes.
  sleep 1
done

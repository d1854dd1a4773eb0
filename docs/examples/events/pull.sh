#!/bin/sh
# Prints all events behind a cursor, one a line, with curl and jq: pull.sh https://site.example/api/public/v1 oldest
set -eu
url=$1
cursor=$2
more=true
while [ "$more" = true ]; do
  page=$(curl -fsS --get "$url/events" --data-urlencode "after=$cursor" --data-urlencode limit=100)
  printf '%s' "$page" | jq -c '.data.events[]'
  cursor=$(printf '%s' "$page" | jq -r '.data.pagination.nextCursor')
  more=$(printf '%s' "$page" | jq -r '.data.pagination.hasMore')
done

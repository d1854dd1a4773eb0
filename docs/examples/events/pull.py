"""Prints all events behind a cursor, one a line: pull.py https://site.example/api/public/v1 oldest"""

import json
import sys
import urllib.parse
import urllib.request

url, cursor = sys.argv[1:]
more = True
while more:
    query = urllib.parse.urlencode({"after": cursor, "limit": 100})
    with urllib.request.urlopen(f"{url}/events?{query}", timeout=30) as response:
        data = json.load(response)["data"]
    for event in data["events"]:
        print(json.dumps(event))
    # Keep it together with what you do with the events.
    cursor, more = data["pagination"]["nextCursor"], data["pagination"]["hasMore"]

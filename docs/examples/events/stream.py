"""Prints events as they come, one a line: stream.py https://site.example/api/public/v1 cursor.txt

The file keeps the cursor of the last printed event: the same command goes on there. Without it, it begins with now.
"""

import http.client
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

# Every 4 s there is a sign of life: a connection without one is dead.
SILENCE_SECONDS = 30


def read_stream(url: str, state: pathlib.Path) -> None:
    cursor = state.read_text().strip() if state.exists() else "now"
    query = urllib.parse.urlencode({"after": cursor})
    with urllib.request.urlopen(f"{url}/events/stream?{query}", timeout=SILENCE_SECONDS) as response:
        event_id = data = name = ""
        for raw in response:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("id: "):
                event_id = line.removeprefix("id: ")
            elif line.startswith("data: "):
                data = line.removeprefix("data: ")
            elif line == "" and event_id != "":
                # Only now: the connection may have ended within a line.
                if data != "" and name != "heartbeat":
                    print(data, flush=True)
                data = name = ""
                # Renamed, so that the file is never half written.
                new = state.with_suffix(".new")
                new.write_text(event_id)
                new.replace(state)


if __name__ == "__main__":
    root, file = sys.argv[1:]
    while True:
        try:
            read_stream(root, pathlib.Path(file))
        except urllib.error.HTTPError as error:
            # 429 and 5xx pass; others stay, such as 404: the cursor is too old.
            if error.code != 429 and error.code < 500:
                raise
            print(error, file=sys.stderr)
        except (OSError, http.client.HTTPException) as error:
            print(error, file=sys.stderr)
        # A stream ends itself after 15 minutes.
        time.sleep(1)

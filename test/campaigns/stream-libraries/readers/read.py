"""Reads the stream by a library of Python and prints the id of each event: read.py LIBRARY URL"""

import sys
import time

import httpx
import requests
import sseclient
from httpx_sse import SSEError, connect_sse


def by_httpx_sse(url, place):
    # With httpx's own timeout, 5 s without a byte.
    with httpx.Client() as client, connect_sse(client, "GET", url, **place) as source:
        for event in source.iter_sse():
            yield event.event, event.id


def by_sseclient(url, place):
    with requests.get(url, stream=True, timeout=10, **place) as response:
        response.raise_for_status()
        for event in sseclient.SSEClient(response).events():
            yield event.event, event.id


LIBRARIES = {"httpx-sse": by_httpx_sse, "sseclient-py": by_sseclient}

if __name__ == "__main__":
    library, url = sys.argv[1:]
    place = {"params": {"after": "now"}}
    while True:
        try:
            for name, event_id in LIBRARIES[library](url, place):
                place = {"headers": {"Last-Event-ID": event_id}}
                if name != "heartbeat":
                    print(event_id, flush=True)
        except (httpx.HTTPError, requests.RequestException, SSEError) as error:
            print(type(error).__name__, error, file=sys.stderr)
        time.sleep(1)

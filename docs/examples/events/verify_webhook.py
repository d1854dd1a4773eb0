"""Verifies a webhook with its secret: verify_webhook.py whsec_… ID TIMESTAMP SIGNATURES HANDLED < body

HANDLED is a file with the ids that were accepted, one a line. Exit code 0: accepted; 1: refused, answer 400;
2: handled before, answer 200: each event comes at least once, and again until it is taken.
"""

import base64
import hashlib
import hmac
import pathlib
import sys
import time

TOLERANCE_SECONDS = 300


def is_genuine(secret: str, message_id: str, timestamp: str, signatures: str, body: bytes) -> bool:
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, signature) for signature in signatures.split(" "))


if __name__ == "__main__":
    secret, message_id, timestamp, signatures, file = sys.argv[1:]
    handled = pathlib.Path(file)
    seen = handled.read_text().split() if handled.exists() else []
    if not is_genuine(secret, message_id, timestamp, signatures, sys.stdin.buffer.read()):
        sys.exit(1)
    if message_id in seen:
        sys.exit(2)
    with handled.open("a") as out:
        out.write(f"{message_id}\n")

"""Verifies webhooks with the official library: reads lines of JSON {secret, headers, body}, prints `accepted` or why not."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

for line in sys.stdin:
    delivery = json.loads(line)
    try:
        Webhook(delivery["secret"]).verify(delivery["body"], delivery["headers"])
        print("accepted")
    except WebhookVerificationError as error:
        print(error)

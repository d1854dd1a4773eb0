"""Launches, claims and reads with a client that openapi-python-client generated, and solders.

Arguments: `launch` API KEY_FILE QUOTE_MINT LOGO, `claim` API KEY_FILE MINT, `read` API MINT SIGNATURE WALLET
QUOTE_MINT. Prints one JSON document.
"""

import base64
import importlib
import json
import pkgutil
import sys
import time

from client import Client, api
from client.api.fees import get_claimable_fees, prepare_claim, submit_claim
from client.api.launch import get_launch_status, prepare_launch, submit_launch
from client.models import Failure, PrepareClaimBody, PrepareLaunchBody, SubmitClaimBody, SubmitLaunchBody
from solders.keypair import Keypair
from solders.transaction import Transaction, VersionedTransaction


def good(answer):
    """The data of an answer of the 200 kind."""
    if answer is None or isinstance(answer, Failure):
        raise SystemExit(f"answered {answer}")
    return answer.data


def key_of(path: str) -> Keypair:
    with open(path) as file:
        return Keypair.from_bytes(bytes(json.load(file)))


def signed(transaction: str, wallet: Keypair) -> str:
    """Signs as the first of two signers; the platform's place stays empty."""
    unsigned = Transaction.from_bytes(base64.b64decode(transaction))
    message = unsigned.message
    empty = unsigned.signatures[1:]
    both = [wallet.sign_message(bytes(message)), *empty]
    return base64.b64encode(bytes(VersionedTransaction.populate(message, both))).decode()


def launch(client: Client, key_file: str, quote_mint: str, logo: str) -> dict:
    wallet = key_of(key_file)
    body = PrepareLaunchBody(
        creator_wallet=str(wallet.pubkey()), quote_mint=quote_mint, name="Generated", symbol="GEN", logo=logo
    )
    prepared = good(prepare_launch.sync(client=client, body=body))
    submission = SubmitLaunchBody(
        signed_quote=prepared.signed_quote,
        signed_transaction=signed(prepared.payment_transaction, wallet),
        logo=logo,
    )
    submitted = good(submit_launch.sync(client=client, body=submission))
    while submitted.status == "processing":
        time.sleep(1)
        submitted = good(get_launch_status.sync(submitted.payment_signature, client=client))
    return {"mint": submitted.mint, "signature": submitted.payment_signature}


def claim(client: Client, key_file: str, mint: str) -> dict:
    wallet = key_of(key_file)
    claimable = good(get_claimable_fees.sync(mint, client=client)).claimable
    body = PrepareClaimBody(creator_wallet=str(wallet.pubkey()))
    prepared = good(prepare_claim.sync(mint, client=client, body=body))
    submission = SubmitClaimBody(
        creator_wallet=str(wallet.pubkey()),
        intent_id=prepared.intent_id,
        signed_transaction=signed(prepared.transaction, wallet),
    )
    submitted = good(submit_claim.sync(mint, client=client, body=submission))
    while not submitted.landed:
        time.sleep(1)
        submitted = good(submit_claim.sync(mint, client=client, body=submission))
    return {"signature": submitted.signature, "raw": claimable.quote.amount_raw}


def read(client: Client, mint: str, signature: str, wallet: str, quote_mint: str) -> dict:
    """Calls every function of the client that reads; `{function: HTTP status}`. Throws where an answer cannot be parsed."""
    statuses = {}
    for tag in pkgutil.iter_modules(api.__path__):
        package = importlib.import_module(f"client.api.{tag.name}")
        for module in pkgutil.iter_modules(package.__path__):
            name = module.name
            if name.startswith(("prepare_", "submit_")):
                continue
            operation = importlib.import_module(f"client.api.{tag.name}.{name}")
            needs = operation.sync_detailed.__annotations__
            values = {"mint": mint, "payment_signature": signature, "number": 1, "wallet": wallet}
            if name == "get_platform_statement":
                values["quote_mint"] = quote_mint
            given = {parameter: values[parameter] for parameter in values if parameter in needs}
            answer = operation.sync_detailed(client=client, **given)
            if answer.parsed is None:
                raise SystemExit(f"{name} answered {answer.status_code}, which is not described: {answer.content}")
            statuses[name] = answer.status_code
    return statuses


def main(what: str, url: str, *rest: str) -> None:
    client = Client(base_url=url, timeout=60)
    done = {"launch": launch, "claim": claim, "read": read}[what](client, *rest)
    print(json.dumps(done))


main(*sys.argv[1:])

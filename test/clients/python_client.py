"""Uses the local chain through solders and solana-py. Prints one JSON line per check: {"name", "ok", "error"?}.

Arguments: RPC address, mint whose holders are listed, number of holders.
"""

import asyncio
import json
import struct
import sys
import traceback
import urllib.request

from solana.exceptions import SolanaRpcException
from solana.rpc.async_api import AsyncClient
from solana.rpc.commitment import Confirmed, Finalized, Processed
from solana.rpc.core import RPCException
from solana.rpc.models import DataSliceOpts, MemcmpOpts, TxOpts
from solders.address_lookup_table_account import AddressLookupTable, AddressLookupTableAccount
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.system_program import (
    CreateAccountParams,
    CreateLookupTableParams,
    ExtendLookupTableParams,
    TransferParams,
    create_account,
    create_lookup_table,
    extend_lookup_table,
    transfer,
)
from solders.transaction import VersionedTransaction

SOL = 1_000_000_000
TOKEN = Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
TOKEN_2022 = Pubkey.from_string("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
NO_KEY = Pubkey.default()


class Session:
    """A client with a funded wallet."""

    def posted(self, request):
        """A POST of JSON: the chain's controls take no other type, so that no page of a browser can use them."""
        headers = {"content-type": "application/json"}
        return urllib.request.Request(self.url, json.dumps(request).encode(), headers)

    def __init__(self, client: AsyncClient, url: str, mint: Pubkey, holders: int) -> None:
        self.client = client
        self.url = url
        self.wallet = Keypair()
        self.mint = mint
        self.holders = holders

    async def sign(self, instructions, signers=(), tables=(), blockhash=None):
        """A signed v0 transaction."""
        if blockhash is None:
            blockhash = (await self.client.get_latest_blockhash(Confirmed)).value.blockhash
        message = MessageV0.try_compile(self.wallet.pubkey(), instructions, list(tables), blockhash)
        return VersionedTransaction(message, [self.wallet, *signers])

    async def send(self, transaction, skip_preflight=False):
        """Sends and waits until confirmed."""
        options = TxOpts(skip_preflight=skip_preflight, preflight_commitment=Confirmed)
        signature = (await self.client.send_raw_transaction(bytes(transaction), options)).value
        await self.client.confirm_transaction(signature, Confirmed, sleep_seconds=0.05)
        return signature

    async def control(self, method, **params):
        """Makes the local chain do something."""
        request = {"jsonrpc": "2.0", "id": 1, "method": f"localnet_{method}", "params": [params]}
        with urllib.request.urlopen(self.posted(request)) as response:
            assert "error" not in json.load(response), method


def pay(session: Session, to: Pubkey, lamports: int) -> Instruction:
    return transfer(TransferParams(from_pubkey=session.wallet.pubkey(), to_pubkey=to, lamports=lamports))


async def transfers_sol(session: Session) -> None:
    to = Keypair().pubkey()
    await session.send(await session.sign([pay(session, to, SOL)]))
    assert (await session.client.get_balance(to, Confirmed)).value == SOL


async def creates_mint(session: Session, program: Pubkey, space: int, rent_space: int, after_create) -> Pubkey:
    mint = Keypair()
    rent = (await session.client.get_minimum_balance_for_rent_exemption(rent_space)).value
    create = create_account(
        CreateAccountParams(
            from_pubkey=session.wallet.pubkey(),
            to_pubkey=mint.pubkey(),
            lamports=rent,
            space=space,
            owner=program,
        )
    )
    await session.send(await session.sign([create, *after_create(mint.pubkey())], signers=[mint]))
    return mint.pubkey()


def initialize_mint(session: Session, program: Pubkey, mint: Pubkey) -> Instruction:
    """InitializeMint2 (20): decimals, mint authority, no freeze authority."""
    data = bytes([20, 9]) + bytes(session.wallet.pubkey()) + bytes([0])
    return Instruction(program, data, [AccountMeta(mint, False, True)])


async def creates_a_classic_mint(session: Session) -> None:
    mint = await creates_mint(session, TOKEN, 82, 82, lambda key: [initialize_mint(session, TOKEN, key)])
    supply = (await session.client.get_token_supply(mint, Confirmed)).value
    assert (supply.amount, supply.decimals) == ("0", 9), supply


def transfer_fee(session: Session, mint: Pubkey) -> Instruction:
    """TransferFeeExtension (26) InitializeTransferFeeConfig (0): no config authority, withdraw authority, bps, maximum."""
    withdraw = bytes([1]) + bytes(session.wallet.pubkey())
    data = bytes([26, 0, 0]) + withdraw + struct.pack("<HQ", 100, 1_000_000)
    return Instruction(TOKEN_2022, data, [AccountMeta(mint, False, True)])


def metadata_pointer(mint: Pubkey) -> Instruction:
    """MetadataPointerExtension (39) Initialize (0): no authority, the metadata is in the mint."""
    data = bytes([39, 0]) + bytes(NO_KEY) + bytes(mint)
    return Instruction(TOKEN_2022, data, [AccountMeta(mint, False, True)])


def token_metadata(session: Session, mint: Pubkey) -> Instruction:
    """Initialize of the token metadata interface (its discriminator), then name, symbol and URI as borsh strings."""
    authority = session.wallet.pubkey()
    texts = [text.encode() for text in ("Slip", "SLIP", "https://example.com/slip.json")]
    data = bytes([210, 225, 30, 162, 88, 184, 77, 141]) + b"".join(struct.pack("<I", len(t)) + t for t in texts)
    accounts = [
        AccountMeta(mint, False, True),
        AccountMeta(authority, False, False),
        AccountMeta(mint, False, False),
        AccountMeta(authority, True, False),
    ]
    return Instruction(TOKEN_2022, data, accounts)


async def creates_a_token_2022_mint(session: Session) -> None:
    def steps(mint: Pubkey):
        return [
            transfer_fee(session, mint),
            metadata_pointer(mint),
            initialize_mint(session, TOKEN_2022, mint),
            token_metadata(session, mint),
        ]

    # 82 padded to 165, account type, transfer fee config 4 + 108, metadata pointer 4 + 64; the metadata comes on top.
    mint = await creates_mint(session, TOKEN_2022, 346, 600, steps)
    parsed = (await session.client.get_account_info_json_parsed(mint, Confirmed)).value.data.parsed
    extensions = {one["extension"]: one["state"] for one in parsed["info"]["extensions"]}
    assert extensions["transferFeeConfig"]["newerTransferFee"]["transferFeeBasisPoints"] == 100, extensions
    assert extensions["tokenMetadata"]["symbol"] == "SLIP", extensions


async def uses_a_lookup_table(session: Session) -> None:
    wallet = session.wallet.pubkey()
    to = Keypair().pubkey()
    slot = (await session.client.get_slot(Finalized)).value
    create, table = create_lookup_table(
        CreateLookupTableParams(authority_address=wallet, payer_address=wallet, recent_slot=slot)
    )
    extend = extend_lookup_table(
        ExtendLookupTableParams(
            lookup_table_address=table, authority_address=wallet, payer_address=wallet, new_addresses=[to]
        )
    )
    await session.send(await session.sign([create, extend]))
    await session.control("advanceSlots", count=2)
    data = (await session.client.get_account_info(table, Confirmed)).value.data
    account = AddressLookupTableAccount(table, AddressLookupTable.deserialize(data).addresses)
    signature = await session.send(await session.sign([pay(session, to, SOL)], tables=[account]))
    found = (
        await session.client.get_transaction(signature, commitment=Confirmed, max_supported_transaction_version=0)
    ).value
    assert found.transaction.meta.loaded_addresses.writable == [to], found


async def reads_holders(session: Session) -> None:
    found = await session.client.get_program_accounts(
        TOKEN,
        Confirmed,
        encoding="base64",
        data_slice=DataSliceOpts(offset=32, length=40),
        filters=[165, MemcmpOpts(offset=0, bytes=str(session.mint))],
    )
    assert len(found.value) == session.holders, len(found.value)


async def sees_a_failed_transactions_fee(session: Session) -> None:
    transaction = await session.sign([pay(session, Keypair().pubkey(), 9_000 * SOL)])
    signature = await session.send(transaction, skip_preflight=True)
    found = (
        await session.client.get_transaction(signature, commitment=Confirmed, max_supported_transaction_version=0)
    ).value
    meta = found.transaction.meta
    assert meta.err is not None
    assert meta.fee == 5000 == meta.pre_balances[0] - meta.post_balances[0], meta


async def sees_an_expired_blockhash(session: Session) -> None:
    transaction = await session.sign([pay(session, Keypair().pubkey(), SOL)])
    await session.control("expireBlockhashes")
    try:
        await session.send(transaction)
    except RPCException as error:
        assert "Blockhash not found" in str(error), error
    else:
        raise AssertionError("an expired blockhash was accepted")


async def sees_a_skipped_slot(session: Session) -> None:
    slot = (await session.client.get_slot(Processed)).value
    await session.control("skipNextSlots", count=3)
    await session.control("advanceSlots", count=40)
    blocks = (await session.client.get_blocks(slot, slot + 5)).value
    skipped = next(one for one in range(slot, slot + 5) if one not in blocks)
    try:
        await session.client.get_block(skipped, max_supported_transaction_version=0)
    except (RPCException, SolanaRpcException) as error:
        assert "skipped" in str(error), error
    else:
        raise AssertionError(f"slot {skipped} has a block")


CHECKS = [
    transfers_sol,
    creates_a_classic_mint,
    creates_a_token_2022_mint,
    uses_a_lookup_table,
    reads_holders,
    sees_a_failed_transactions_fee,
    sees_an_expired_blockhash,
    sees_a_skipped_slot,
]


async def main(url: str, mint: str, holders: int) -> None:
    async with AsyncClient(url, Confirmed) as client:
        session = Session(client, url, Pubkey.from_string(mint), holders)
        signature = (await client.request_airdrop(session.wallet.pubkey(), 100 * SOL)).value
        await client.confirm_transaction(signature, Confirmed, sleep_seconds=0.05)
        for check in CHECKS:
            report = {"name": check.__name__, "ok": True}
            try:
                await check(session)
            except Exception:
                report = {"name": check.__name__, "ok": False, "error": traceback.format_exc()}
            print(json.dumps(report), flush=True)


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))

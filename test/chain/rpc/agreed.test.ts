import {
  AddressLookupTableAccount,
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { createRpc } from '../../../chain/rpc/rpc.ts';
import { type ScriptedNode, startScriptedNode } from '../../support/rpc/scripted-node.ts';

const someone = () => Keypair.generate().publicKey;

/** A transaction that names two accounts by a lookup table, signed. */
function lookedUp() {
  const [payer, table, one, other] = [Keypair.generate(), someone(), someone(), someone()];
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [one, other],
  };
  const transfer = (toPubkey: typeof one) =>
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1 });
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: someone().toBase58(),
    instructions: [transfer(one), transfer(other)],
  }).compileToV0Message([new AddressLookupTableAccount({ key: table, state })]);
  const transaction = new VersionedTransaction(message);
  transaction.sign([payer]);
  return { transaction, writable: [one.toBase58(), other.toBase58()] };
}

/** A node that has the transaction, with the looked-up accounts in this order; each gained by its place in the other order what it has. */
function nodeWith(transaction: VersionedTransaction, writable: readonly string[]): Promise<ScriptedNode> {
  const count = transaction.message.staticAccountKeys.length + writable.length;
  const balances = Array.from({ length: count }, () => 5);
  const meta = {
    err: null,
    fee: 5_000,
    preBalances: balances,
    postBalances: balances,
    loadedAddresses: { writable, readonly: [] },
  };
  const wire = Buffer.from(transaction.serialize()).toString('base64');
  return startScriptedNode(() => ({
    result: { slot: 7, blockTime: 1_700_000_000, transaction: [wire, 'base64'], meta },
  }));
}

describe('what a transaction names by lookup tables', () => {
  it('is what two endpoints say, in their order', async () => {
    const { transaction, writable } = lookedUp();
    const signature = bs58.encode(transaction.signatures[0]!);
    await using liar = await nodeWith(transaction, writable.toReversed());
    await using a = await nodeWith(transaction, writable);
    await using b = await nodeWith(transaction, writable);
    const among = async (...nodes: ScriptedNode[]) =>
      (await createRpc({ endpoints: nodes.map(({ url }) => url) }).agreedTransaction(signature))?.loadedAddresses;
    expect(await among(a, b)).toEqual(writable);
    expect(await among(liar, a, b)).toEqual(writable);
    expect(await among(liar, a)).toBeUndefined();
  });
});

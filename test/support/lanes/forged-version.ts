import { Keypair } from '@solana/web3.js';
import type { Moved, Movement } from '../../../activities/money/move-once.ts';
import { laneOf } from '../../../chain/lanes/lane.ts';
import { createStamp } from '../../../chain/lanes/stamp.ts';
import type { SignedTransaction } from '../../../chain/transactions/compile.ts';
import * as laneRows from '../../../db/money/lanes.ts';
import type { LaneFixture } from './lane-fixture.ts';

/** Another version of the step that a movement is about to make. Its blockhash is none, so that it never lands. */
export async function unsentVersionOf(ground: LaneFixture, movement: Movement): Promise<SignedTransaction> {
  const { purpose } = movement;
  const { lanes } = ground.worker();
  const [index, { secret }] = [laneOf(purpose), await lanes.ground()];
  const { value: from } = await laneRows.one(ground.db, index);
  const [lane, signer, blockhash] = [ground.lanes[index]!, lanes.signerOf(index), randomAddress()];
  return (await movement.build(createStamp({ lane, signer, secret, purpose, from, blockhash })))!;
}

function randomAddress(): string {
  return Keypair.generate().publicKey.toBase58();
}

interface Entry {
  readonly signature: string;
  readonly slot: number;
}

/** What a node answers that shows a movement as made by another version too, a slot before. */
export async function misnames(
  url: string,
  moved: Moved,
  { signature, wire }: SignedTransaction,
): Promise<(method: string, result: unknown) => unknown> {
  const options = { commitment: 'finalized', encoding: 'base64', maxSupportedTransactionVersion: 0 };
  const asked = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [moved.signature, options] };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  const { result: truth } = (await response.json()) as { result: object };
  const forged = { ...truth, transaction: [Buffer.from(wire).toString('base64'), 'base64'] };
  const withForged = (entry: Entry) =>
    entry.signature === moved.signature ? [entry, { ...entry, signature, slot: entry.slot - 1 }] : [entry];
  return (method, result) => {
    if (method === 'getTransaction') return result ?? forged;
    return method === 'getSignaturesForAddress' ? (result as Entry[]).flatMap(withForged) : result;
  };
}

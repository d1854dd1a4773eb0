import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, type Keypair, VersionedTransaction } from '@solana/web3.js';
import type { DeskClient } from './desk-client.ts';

/** A swap that landed. Amounts are in whole tokens. */
export interface DemoTrade {
  readonly side: 'buy' | 'sell';
  readonly paid: string;
  readonly received: string;
  readonly signature: string;
}

const POLL_MS = 200;
const GIVE_UP_MS = 30_000;

/** Signs a swap of the desk with the trader's own key, sends it to the chain and waits until it is confirmed. */
export async function trade(
  connection: Connection,
  desk: DeskClient,
  trader: Keypair,
  order: { readonly mint: string; readonly side: 'buy' | 'sell'; readonly amount: string },
): Promise<DemoTrade> {
  const { mint, side, amount } = order;
  const swap = await desk.swap(trader.publicKey.toBase58(), mint, side, amount);
  const transaction = VersionedTransaction.deserialize(Buffer.from(swap.transaction, 'base64'));
  transaction.sign([trader]);
  const signature = await connection.sendTransaction(transaction, { preflightCommitment: 'confirmed' });
  await untilConfirmed(connection, signature);
  return { side, paid: swap.amountIn, received: swap.amountOut, signature };
}

async function untilConfirmed(connection: Connection, signature: string): Promise<void> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    const { value } = await connection.getSignatureStatus(signature);
    if (value?.err) throw new Error(`swap ${signature} failed on the chain: ${JSON.stringify(value.err)}`);
    if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') return;
    if (Date.now() > deadline) throw new Error(`swap ${signature} was not confirmed within ${GIVE_UP_MS} ms`);
    await sleep(POLL_MS);
  }
}

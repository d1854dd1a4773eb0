import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, type Keypair, SendTransactionError, VersionedTransaction } from '@solana/web3.js';
import type { DeskClient } from './desk-client.ts';

export interface DemoTrade {
  readonly side: 'buy' | 'sell';
  readonly paid: string;
  readonly received: string;
  readonly signature: string;
}

const POLL_MS = 200;
const GIVE_UP_MS = 30_000;

/** The pool may change between building and landing. */
const MOST_ATTEMPTS = 5;

interface Order {
  readonly mint: string;
  readonly side: 'buy' | 'sell';
  readonly amount: string;
}

class SwapRefusedError extends Error {}

/** Trades until confirmed. A swap fits only one state of its pool: a refused one is rebuilt. */
export async function trade(
  connection: Connection,
  desk: DeskClient,
  trader: Keypair,
  order: Order,
): Promise<DemoTrade> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tradeOnce(connection, desk, trader, order);
    } catch (error) {
      const isRefused = error instanceof SendTransactionError || error instanceof SwapRefusedError;
      if (!isRefused || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

async function tradeOnce(
  connection: Connection,
  desk: DeskClient,
  trader: Keypair,
  { mint, side, amount }: Order,
): Promise<DemoTrade> {
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
    if (value?.err) throw new SwapRefusedError(`swap ${signature} failed on the chain: ${JSON.stringify(value.err)}`);
    if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') return;
    if (Date.now() > deadline) throw new Error(`swap ${signature} was not confirmed within ${GIVE_UP_MS} ms`);
    await sleep(POLL_MS);
  }
}

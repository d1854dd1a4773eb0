import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js';
import type { LiquidityChange } from '../exchange.ts';
import { AccountReader } from './account-reader.ts';
import { DISCRIMINATOR_BYTES, eventDiscriminator } from './discriminators.ts';
import { eventsIn, isSwapEvent } from './swap-events.ts';

/** `LiquidityChangeEvent` has the ticks. The event after it has the amount. */
const TICKS = eventDiscriminator('LiquidityChangeEvent');

/** Events with the amount: bytes before it, and its sign. */
const AMOUNTS = [
  { event: eventDiscriminator('CreatePersonalPositionEvent'), skipped: 3 * 32 + 2 * 4, sign: 1n },
  { event: eventDiscriminator('IncreaseLiquidityEvent'), skipped: 32, sign: 1n },
  { event: eventDiscriminator('DecreaseLiquidityEvent'), skipped: 32, sign: -1n },
];

type Ticks = Pick<LiquidityChange, 'tickLower' | 'tickUpper'>;

/**
 * Decodes the pool's liquidity changes in order, from events of the published interface. A collection of fees changes
 * none. Changes that a cut-off log lacks are not decoded.
 */
export function decodeLiquidity({ meta }: VersionedTransactionResponse, pool: PublicKey): LiquidityChange[] {
  if (!meta || meta.err) return [];
  const changes: LiquidityChange[] = [];
  let [afterSwaps, ticks]: [number, Ticks | null] = [0, null];
  for (const event of eventsIn(meta.logMessages ?? [])) {
    if (isSwapEvent(event) && isOf(event, pool)) afterSwaps++;
    else if (isEvent(event, TICKS)) ticks = isOf(event, pool) ? ticksOf(event) : null;
    else {
      const delta = amountOf(event);
      if (delta !== null && delta !== 0n && ticks !== null) changes.push({ ...ticks, delta, afterSwaps });
      if (delta !== null) ticks = null;
    }
  }
  return changes;
}

function isEvent(event: Buffer, discriminator: Buffer): boolean {
  return event.subarray(0, DISCRIMINATOR_BYTES).equals(discriminator);
}

/** Both events begin with the pool. */
function isOf(event: Buffer, pool: PublicKey): boolean {
  return new AccountReader(event).key().equals(pool);
}

function ticksOf(event: Buffer): Ticks {
  const tickCurrent = 4;
  const reader = new AccountReader(event).skip(32 + tickCurrent);
  return { tickLower: reader.i32(), tickUpper: reader.i32() };
}

function amountOf(event: Buffer): bigint | null {
  const kind = AMOUNTS.find((each) => isEvent(event, each.event));
  return kind ? kind.sign * new AccountReader(event).skip(kind.skipped).u128() : null;
}

import type { PublicKey } from '@solana/web3.js';
import { AccountReader } from './account-reader.ts';
import { DISCRIMINATOR_BYTES, eventDiscriminator } from './discriminators.ts';
import { CLMM_PROGRAM_ID } from './programs.ts';

export interface SwapEvent {
  readonly pool: PublicKey;
  /** Signed for the input. */
  readonly sender: PublicKey;
  readonly zeroForOne: boolean;
  readonly amount0: bigint;
  readonly amount1: bigint;
  readonly sqrtPriceX64: bigint;
  readonly tick: number;
  /** False if price and tick were computed from amounts. */
  readonly isLogged: boolean;
}

const SWAP_EVENT = eventDiscriminator('SwapEvent');
const DATA_PREFIX = 'Program data: ';
const INVOKE = /^Program (\w+) invoke \[\d+\]$/;
const RETURN = /^Program \w+ (?:success|failed.*)$/;

export function swapEventsOf(logs: readonly string[]): SwapEvent[] {
  return eventsIn(logs).filter(isSwapEvent).map(decodeEvent);
}

/** The events that the program itself logged, in order, with their discriminators. */
export function eventsIn(logs: readonly string[]): Buffer[] {
  const running: string[] = [];
  return logs.flatMap((line) => {
    const invoked = INVOKE.exec(line)?.[1];
    if (invoked) running.push(invoked);
    else if (RETURN.test(line)) running.pop();
    else if (line.startsWith(DATA_PREFIX) && running.at(-1) === CLMM_PROGRAM_ID.toBase58())
      return [Buffer.from(line.slice(DATA_PREFIX.length), 'base64')];
    return [];
  });
}

export function isSwapEvent(data: Buffer): boolean {
  return data.subarray(0, DISCRIMINATOR_BYTES).equals(SWAP_EVENT);
}

/** Decodes `SwapEvent` of the published interface; newer versions append fields. */
function decodeEvent(data: Buffer): SwapEvent {
  const reader = new AccountReader(data);
  const [pool, sender] = [reader.key(), reader.key()];
  const traderAccounts = 2 * 32;
  reader.skip(traderAccounts);
  const [net0, tax0, net1, tax1] = [reader.u64(), reader.u64(), reader.u64(), reader.u64()];
  const zeroForOne = reader.u8() === 1;
  const sqrtPriceX64 = reader.u128();
  const tick = reader.skip(16).i32();
  // Both amounts are reported after tax.
  const [amount0, amount1] = zeroForOne ? [net0, net1 + tax1] : [net0 + tax0, net1];
  return { pool, sender, zeroForOne, amount0, amount1, sqrtPriceX64, tick, isLogged: true };
}

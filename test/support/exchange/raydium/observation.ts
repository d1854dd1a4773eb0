import type { AccountInfo, PublicKey } from '@solana/web3.js';
import { openAccount } from '../../../../chain/exchange/raydium/account-reader.ts';
import { OBSERVATION } from '../../../../chain/exchange/raydium/accounts/observation.ts';

const OBSERVATIONS = 100;
const PADDING_BYTES = 32;

/** A point of a pool's price history. */
export interface Observation {
  /** Unix time in seconds. */
  readonly timestamp: number;
  /** Sum of the ticks of all seconds up to then. */
  readonly tickCumulative: bigint;
}

/** A pool's price history: a ring of 100 points of which `index` is the newest; unused ones have timestamp 0. */
export interface ObservationAccount {
  readonly pool: PublicKey;
  readonly index: number;
  readonly observations: readonly Observation[];
}

/** Decodes a price history. Throws when the account is none. */
export function decodeObservation(address: PublicKey, account: AccountInfo<Buffer> | null): ObservationAccount {
  const reader = openAccount(address, account, OBSERVATION);
  const initialisedAndEpoch = 1 + 8;
  const index = reader.skip(initialisedAndEpoch).u16();
  const pool = reader.key();
  const observations = Array.from({ length: OBSERVATIONS }, () => {
    const observation = { timestamp: reader.u32(), tickCumulative: reader.i64() };
    reader.skip(PADDING_BYTES);
    return observation;
  });
  return { pool, index, observations };
}

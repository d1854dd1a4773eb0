import { createHash } from 'node:crypto';
import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';

/**
 * A platform mint whose supply is a 64-bit register. Each movement compares it with the ledger's value and sets the
 * next (`step.ts`): at most one transaction succeeds per value.
 */
export interface Lane {
  /** From 0; see {@link laneOf}. */
  readonly index: number;
  /** Its supply is the register. */
  readonly mint: PublicKey;
  /** Associated, the mint's only one. */
  readonly account: PublicKey;
  /** May mint and burn; signs every movement. */
  readonly authority: PublicKey;
}

export type LaneAuthority = 'platform' | 'treasury';

/**
 * Lane counts, in number order. They are protocol: a purpose must always map to the same lane. 128 lanes at 13 s to
 * finality allow 850,000 movements a day; the treasury pays only for restocks.
 */
const SETS: readonly { readonly authority: LaneAuthority; readonly lanes: number }[] = [
  { authority: 'platform', lanes: 128 },
  { authority: 'treasury', lanes: 4 },
];

export const LANE_COUNT = SETS.reduce((sum, { lanes }) => sum + lanes, 0);

/** Token-2022 takes ten times the compute units and can be upgraded. */
export const LANE_PROGRAM_ID = TOKEN_PROGRAM_ID;

/**
 * Chooses a lane by the purpose alone: every copy of the ledger finds it. Movements of one job, numbered at the end,
 * use neighbouring lanes and do not wait for each other.
 */
export function laneOf(purpose: Purpose): number {
  const { authority, first, lanes } = setOf(purpose);
  if (lanes === 0) throw new RangeError(`the ${authority} has no lanes for ${purpose}`);
  const [, job = purpose, n = '0'] = /^(.*)\/(\d{1,9})$/.exec(purpose) ?? [];
  const start = createHash('sha256').update(job).digest().readUInt32LE(0);
  return first + ((start + Number(n)) % lanes);
}

/** Throws a RangeError without such a lane. */
export function laneAuthority(index: number): LaneAuthority {
  let first = 0;
  for (const { authority, lanes } of SETS) {
    if (index >= first && index < first + lanes) return authority;
    first += lanes;
  }
  throw new RangeError(`there is no lane ${index}, only ${LANE_COUNT}`);
}

function setOf(purpose: Purpose) {
  const wanted: LaneAuthority = purpose.startsWith('restock/') ? 'treasury' : 'platform';
  let first = 0;
  for (const { authority, lanes } of SETS) {
    if (authority === wanted) return { authority, first, lanes };
    first += lanes;
  }
  throw new RangeError(`no lanes belong to the ${wanted}`);
}

export type LaneWallets = Readonly<Record<LaneAuthority, PublicKey>>;

/** Derives a lane seeded from the platform wallet: only that wallet can create it, and no other signature is needed. */
export async function deriveLane(wallets: LaneWallets, environment: string, index: number): Promise<Lane> {
  const authority = wallets[laneAuthority(index)];
  const mint = await PublicKey.createWithSeed(wallets.platform, laneSeed(environment, index), LANE_PROGRAM_ID);
  const account = getAssociatedTokenAddressSync(mint, authority, true, LANE_PROGRAM_ID);
  return { index, mint, account, authority };
}

export function deriveLanes(wallets: LaneWallets, environment: string): Promise<Lane[]> {
  const indexes = Array.from({ length: LANE_COUNT }, (_, index) => index);
  return Promise.all(indexes.map((index) => deriveLane(wallets, environment, index)));
}

/** Environments may share a wallet, not lanes. At most 32 characters (`MAX_SEED_LEN`). */
export function laneSeed(environment: string, index: number): string {
  const place = createHash('sha256').update(environment).digest('hex').slice(0, 16);
  return `lane ${place} ${index}`;
}

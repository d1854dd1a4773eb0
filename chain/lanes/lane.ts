import { createHash } from 'node:crypto';
import { getAssociatedTokenAddressSync, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Purpose } from '../../domain/purpose.ts';

/**
 * A lane is a mint of ours whose supply is a 64-bit register. Each movement of money compares it with the value that the ledger
 * knows and sets the next one (see `step.ts`), so that at most one transaction succeeds on each value.
 */
export interface Lane {
  /** Number of the lane, from 0; see {@link laneOf}. */
  readonly index: number;
  /** The mint whose supply is the register. */
  readonly mint: PublicKey;
  /** The mint's only token account: the authority's associated one. */
  readonly account: PublicKey;
  /** May mint and burn: a wallet of the platform. It signs every movement of the lane. */
  readonly authority: PublicKey;
}

/** Which wallet is the authority of a lane. */
export type LaneAuthority = 'platform' | 'treasury';

/**
 * Lanes of each authority, in the order of their numbers. How many there are is part of the protocol: a purpose must find the
 * same lane for ever. 128 lanes at 13 s to finality are 850,000 movements a day. The treasury pays for restocks by itself, a
 * few a day.
 */
const SETS: readonly { readonly authority: LaneAuthority; readonly lanes: number }[] = [
  { authority: 'platform', lanes: 128 },
  { authority: 'treasury', lanes: 4 },
];

/** All lanes together. */
export const LANE_COUNT = SETS.reduce((sum, { lanes }) => sum + lanes, 0);

/** Every lane is a mint of this program. Token-2022 would take ten times the compute units and can be changed. */
export const LANE_PROGRAM_ID = TOKEN_PROGRAM_ID;

/**
 * The lane of a movement. It follows from the purpose alone, so that every copy of the ledger looks for it in the same place;
 * movements of one job, numbered at the end of their purposes, lie in lanes beside each other and do not wait for one another.
 */
export function laneOf(purpose: Purpose): number {
  const { authority, first, lanes } = setOf(purpose);
  if (lanes === 0) throw new RangeError(`the ${authority} has no lanes for ${purpose}`);
  const [, job = purpose, n = '0'] = /^(.*)\/(\d{1,9})$/.exec(purpose) ?? [];
  const start = createHash('sha256').update(job).digest().readUInt32LE(0);
  return first + ((start + Number(n)) % lanes);
}

/** The wallet that a lane belongs to. Throws a RangeError for a number without a lane. */
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

/** The platform's wallets as lanes need them. */
export type LaneWallets = Readonly<Record<LaneAuthority, PublicKey>>;

/**
 * The addresses of a lane follow from the platform's wallets, the environment and its number. The mint lies at an address with
 * seed of the platform wallet, so its making needs no signature but that one, and nobody else can make it.
 */
export async function deriveLane(wallets: LaneWallets, environment: string, index: number): Promise<Lane> {
  const authority = wallets[laneAuthority(index)];
  const mint = await PublicKey.createWithSeed(wallets.platform, laneSeed(environment, index), LANE_PROGRAM_ID);
  const account = getAssociatedTokenAddressSync(mint, authority, true, LANE_PROGRAM_ID);
  return { index, mint, account, authority };
}

/** All lanes of an environment, in order. */
export function deriveLanes(wallets: LaneWallets, environment: string): Promise<Lane[]> {
  const indexes = Array.from({ length: LANE_COUNT }, (_, index) => index);
  return Promise.all(indexes.map((index) => deriveLane(wallets, environment, index)));
}

/** Two environments may share a wallet; their lanes must not. At most 32 characters (`MAX_SEED_LEN`). */
export function laneSeed(environment: string, index: number): string {
  const place = createHash('sha256').update(environment).digest('hex').slice(0, 16);
  return `lane ${place} ${index}`;
}

import { createHash } from 'node:crypto';
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import type { AccountPart } from '../exchange/exchange.ts';

/** A pool and how its account looked. */
export interface PoolPrint {
  readonly pool: string;
  /** A fingerprint of the account; null where there was none. */
  readonly hash: string | null;
}

/** A pool's account as it was read. */
export interface PoolSight {
  /** Its fingerprint. */
  readonly hash: string;
  /** The part of its data that every swap changes. */
  readonly part: Buffer;
}

/** How pool accounts looked at one moment. */
export interface PoolPrints {
  /** Slot they were read at, `confirmed`. */
  readonly slot: number;
  /** Those that look different than before. */
  readonly different: readonly PoolPrint[];
  /** Those that look as before, of which a fingerprint of the whole account was known: each with what is known from now on. */
  readonly same: readonly PoolPrint[];
  /** All that are there, by pool. */
  readonly sights: ReadonlyMap<string, PoolSight>;
}

/** Most accounts that `getMultipleAccounts` takes at once. */
export const ACCOUNTS_PER_CALL = 100;

/**
 * Compares up to 100 pool accounts with how they looked before, with one call. Of each only the part is read that every swap changes,
 * but for those of which a fingerprint of the whole account is known.
 */
export async function comparePools(
  connection: Connection,
  part: AccountPart,
  known: readonly PoolPrint[],
): Promise<PoolPrints> {
  const isWhole = known.some(({ hash }) => isOfWhole(hash));
  const { value, context } = await connection.getMultipleAccountsInfoAndContext(
    known.map(({ pool }) => new PublicKey(pool)),
    { commitment: 'confirmed', ...(!isWhole && { dataSlice: part }) },
  );
  const sights = new Map<string, PoolSight>();
  const read = known.map(({ pool, hash: before }, index) => {
    const account = value[index] ?? null;
    const sight = account && sightOf(account, isWhole || account.data.length > part.length ? part : WHOLE_DATA);
    if (sight) sights.set(pool, sight);
    const hash = sight?.hash ?? null;
    return { pool, hash, isSame: hash === before || looksLike(account, before), before };
  });
  return {
    slot: context.slot,
    sights,
    different: read.filter(({ isSame }) => !isSame),
    same: read.filter(({ isSame, hash, before }) => isSame && hash !== before),
  };
}

/** Of an account that was read in part; an endpoint may answer more than it was asked for. */
const WHOLE_DATA: AccountPart = { offset: 0, length: Infinity };

function sightOf(account: AccountInfo<Buffer>, { offset, length }: AccountPart): PoolSight {
  const part = account.data.subarray(offset, offset + length);
  return { hash: MARK + digestOf(account, part), part };
}

/** A fingerprint of what swaps change of a pool's account; null where there is no account. */
export function fingerprint(account: AccountInfo<Buffer> | null, part: AccountPart): string | null {
  return account && sightOf(account, part).hash;
}

/** Whether a whole account is the one of which a fingerprint of all of it is known, as they were made once. */
export function looksLike(account: AccountInfo<Buffer> | null, known: string | null): boolean {
  return account !== null && isOfWhole(known) && digestOf(account, account.data) === known;
}

/** Tells fingerprints of parts from those of whole accounts, which are nothing but hexadecimal digits. */
const MARK = 'part:';
const WHOLE = /^[0-9a-f]{32}$/;

function isOfWhole(hash: string | null): boolean {
  return hash !== null && WHOLE.test(hash);
}

function digestOf({ owner, lamports }: AccountInfo<Buffer>, data: Uint8Array): string {
  const hash = createHash('sha256').update(owner.toBytes()).update(String(lamports));
  return hash.update(data).digest('hex').slice(0, 32);
}

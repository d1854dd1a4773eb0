import { createHash } from 'node:crypto';
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import type { AccountPart } from '../exchange/exchange.ts';

export interface PoolPrint {
  readonly pool: string;
  /** Null without the account. */
  readonly hash: string | null;
}

export interface PoolSight {
  readonly hash: string;
  /** The part that every swap changes. */
  readonly part: Buffer;
}

export interface PoolPrints {
  /** At `confirmed`. */
  readonly slot: number;
  /** Pools that changed. */
  readonly different: readonly PoolPrint[];
  /** With a whole-account fingerprint, each with its new one. */
  readonly same: readonly PoolPrint[];
  /** All existing. */
  readonly sights: ReadonlyMap<string, PoolSight>;
}

export const ACCOUNTS_PER_CALL = 100;

/**
 * Compares up to 100 pools a call. Reads the part that swaps change, or whole accounts if a stored fingerprint covers
 * one.
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
    return { pool, hash, isSame: isAsSeen(account, hash, before), before };
  });
  return {
    slot: context.slot,
    sights,
    different: read.filter(({ isSame }) => !isSame),
    same: read.filter(({ isSame, hash, before }) => isSame && hash !== before),
  };
}

/** An endpoint may return more than requested. */
const WHOLE_DATA: AccountPart = { offset: 0, length: Infinity };

function sightOf(account: AccountInfo<Buffer>, { offset, length }: AccountPart): PoolSight {
  const part = account.data.subarray(offset, offset + length);
  return { hash: MARK + digestOf(account, part), part };
}

/** Null without an account. */
export function fingerprint(account: AccountInfo<Buffer> | null, part: AccountPart): string | null {
  return account && sightOf(account, part).hash;
}

/** True if an account with this fingerprint is the one that was seen: `seen` may cover the whole account. */
export function isAsSeen(account: AccountInfo<Buffer> | null, hash: string | null, seen: string | null): boolean {
  return hash === seen || (account !== null && isOfWhole(seen) && digestOf(account, account.data) === seen);
}

/** Whole-account ones are plain hexadecimal. */
const MARK = 'part:';
const WHOLE = /^[0-9a-f]{32}$/;

function isOfWhole(hash: string | null): boolean {
  return hash !== null && WHOLE.test(hash);
}

function digestOf({ owner, lamports }: AccountInfo<Buffer>, data: Uint8Array): string {
  const hash = createHash('sha256').update(owner.toBytes()).update(String(lamports));
  return hash.update(data).digest('hex').slice(0, 32);
}

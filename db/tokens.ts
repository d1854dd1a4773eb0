/** No read returns a token that a fork withdrew. */

import { type Selectable, sql } from 'kysely';
import type { LaunchLinks } from '../domain/launch/terms.ts';
import * as auditLog from './platform/audit-log.ts';
import { type Db, transaction } from './connect.ts';
import type { PositionTable, TokenTable } from './schema/tokens.ts';
import type { Decision } from './platform/switches.ts';
import { parseLinks } from './market/token-links.ts';

export type TokenRecord = Omit<Selectable<TokenTable>, 'links'> & { readonly links: LaunchLinks };

export type PositionRecord = Selectable<PositionTable>;

export interface AssetPage {
  readonly tokens: TokenRecord[];
  readonly hasMore: boolean;
}

export interface IndexSlice {
  readonly limit: number;
  readonly offset: number;
  /** `oldest`: new launches come last, so paging misses and repeats nothing. */
  readonly order: 'oldest' | 'newest';
}

function toTokenRecord(row: Selectable<TokenTable>): TokenRecord {
  return { ...row, links: parseLinks(row.mint, row.links) };
}

/** Finds a token, also a hidden one. */
export async function byMint(db: Db, mint: string): Promise<TokenRecord | null> {
  const row = await db
    .selectFrom('tokens')
    .selectAll()
    .where('mint', '=', mint)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst();
  return row ? toTokenRecord(row) : null;
}

/** Lists positions in order. */
export function positions(db: Db, mint: string): Promise<PositionRecord[]> {
  return db
    .selectFrom('positions')
    .innerJoin('tokens', 'tokens.mint', 'positions.mint')
    .selectAll('positions')
    .where('positions.mint', '=', mint)
    .where('tokens.withdrawnAt', 'is', null)
    .orderBy('index')
    .execute();
}

export async function greatestPoolOf(db: Db, quoteMint: string): Promise<string | null> {
  const row = await db
    .selectFrom('tokenMarkets')
    .innerJoin('tokens', 'tokens.mint', 'tokenMarkets.mint')
    .select('pool')
    .where(sql<boolean>`listed`)
    .where('tokenMarkets.quoteMint', '=', quoteMint)
    .orderBy('marketCapUsd', (order) => order.desc().nullsLast())
    .orderBy('tokenMarkets.mint', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.pool ?? null;
}

/** Lists visible tokens in order of visibility. */
export async function assetIndex(db: Db, { limit, offset, order }: IndexSlice): Promise<AssetPage> {
  const [direction, further] = order === 'oldest' ? (['asc', '>='] as const) : (['desc', '<='] as const);
  // Skipped in the index, not read.
  const first = indexed(db).select('listingNumber').orderBy('listingNumber', direction).offset(offset).limit(1);
  const rows = await indexed(db)
    .selectAll()
    .where('listingNumber', further, first)
    .orderBy('listingNumber', direction)
    .limit(limit + 1)
    .execute();
  return { tokens: rows.slice(0, limit).map(toTokenRecord), hasMore: rows.length > limit };
}

/** Returns 0 without a token. */
export async function newestListingNumber(db: Db): Promise<bigint> {
  const row = await indexed(db).select('listingNumber').orderBy('listingNumber', 'desc').limit(1).executeTakeFirst();
  return row?.listingNumber ?? 0n;
}

/** Lists the mints of visible tokens by listing number: `from` inclusive, `to` exclusive. */
export async function mintsListed(db: Db, from: bigint, to: bigint): Promise<string[]> {
  const rows = await indexed(db)
    .select('mint')
    .where('listingNumber', '>=', from)
    .where('listingNumber', '<', to)
    .orderBy('listingNumber')
    .execute();
  return rows.map(({ mint }) => mint);
}

function indexed(db: Db) {
  // For the partial index.
  return db.selectFrom('tokens').where(sql<boolean>`withdrawn_at is null and not hidden`);
}

/** Hides a token from lists, or shows it. False without such a token. */
export function setHidden(db: Db, mint: string, hidden: boolean, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const updated = await tx.updateTable('tokens').set({ hidden }).where('mint', '=', mint).executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await auditLog.append(tx, { actor, action: hidden ? 'token.hide' : 'token.show', subject: `token/${mint}`, note });
    return true;
  });
}

/** The permanent metadata stays. False without such a token. */
export function setLinks(db: Db, mint: string, wanted: LaunchLinks, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const updated = await tx
      .updateTable('tokens')
      .set({ links: JSON.stringify(wanted) })
      .where('mint', '=', mint)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await auditLog.append(tx, { actor, action: 'token.links', subject: `token/${mint}`, note, details: { ...wanted } });
    return true;
  });
}

/** Withdraws a token from every read: a fork undid its launch. False when it was not there. */
export async function withdraw(db: Db, mint: string): Promise<boolean> {
  const updated = await db
    .updateTable('tokens')
    .set({ withdrawnAt: sql`now()` })
    .where('mint', '=', mint)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

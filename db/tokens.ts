/** Tokens and their locked positions. A token that a fork withdrew is absent from every read. */

import { type Selectable, sql } from 'kysely';
import type { LaunchLinks } from '../domain/launch/terms.ts';
import * as auditLog from './platform/audit-log.ts';
import { type Db, transaction } from './connect.ts';
import type { PositionTable, TokenTable } from './schema/tokens.ts';
import type { Decision } from './platform/switches.ts';
import { parseLinks } from './market/token-links.ts';

/** A token with its links parsed. */
export type TokenRecord = Omit<Selectable<TokenTable>, 'links'> & { readonly links: LaunchLinks };

export type PositionRecord = Selectable<PositionTable>;

export interface AssetPage {
  readonly tokens: TokenRecord[];
  readonly hasMore: boolean;
}

/** One slice of the asset index. */
export interface IndexSlice {
  readonly limit: number;
  readonly offset: number;
  /** `oldest` appends new launches at the end, so that paging through it misses and repeats nothing. */
  readonly order: 'oldest' | 'newest';
}

function toTokenRecord(row: Selectable<TokenTable>): TokenRecord {
  return { ...row, links: parseLinks(row.mint, row.links) };
}

/** One token, hidden or not. */
export async function byMint(db: Db, mint: string): Promise<TokenRecord | null> {
  const row = await db
    .selectFrom('tokens')
    .selectAll()
    .where('mint', '=', mint)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst();
  return row ? toTokenRecord(row) : null;
}

/** The two locked positions of a token, in order. */
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

/** The pool paired with a quote token whose token has the greatest market cap, or null. */
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

/** Every token that is not hidden, in the order in which they became visible. */
export async function assetIndex(db: Db, { limit, offset, order }: IndexSlice): Promise<AssetPage> {
  const [direction, further] = order === 'oldest' ? (['asc', '>='] as const) : (['desc', '<='] as const);
  // Rows before the slice are counted off in the index, not read.
  const first = indexed(db).select('listingNumber').orderBy('listingNumber', direction).offset(offset).limit(1);
  const rows = await indexed(db)
    .selectAll()
    .where('listingNumber', further, first)
    .orderBy('listingNumber', direction)
    .limit(limit + 1)
    .execute();
  return { tokens: rows.slice(0, limit).map(toTokenRecord), hasMore: rows.length > limit };
}

function indexed(db: Db) {
  // Literals, so that the planner can tell that the partial index applies.
  return db.selectFrom('tokens').where(sql<boolean>`withdrawn_at is null and not hidden`);
}

/** Hides a token from lists, or shows it again. False when there is no such token. */
export function setHidden(db: Db, mint: string, hidden: boolean, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const updated = await tx.updateTable('tokens').set({ hidden }).where('mint', '=', mint).executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await auditLog.append(tx, { actor, action: hidden ? 'token.hide' : 'token.show', subject: `token/${mint}`, note });
    return true;
  });
}

/** Corrects the links that are shown; the permanent metadata stays as it is. False when there is no such token. */
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

/** Removes a token from every read, because a fork undid its launch. False when it was not there. */
export async function withdraw(db: Db, mint: string): Promise<boolean> {
  const updated = await db
    .updateTable('tokens')
    .set({ withdrawnAt: sql`now()` })
    .where('mint', '=', mint)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

import { type Selectable, sql } from 'kysely';
import { Compile } from 'typebox/compile';
import { type LaunchMode } from '../domain/launch-facts.ts';
import type { LaunchLinks } from '../domain/launch-terms.ts';
import { LaunchTermsSchema } from '../domain/launch-terms-schema.ts';
import { appendAudit } from './audit-log.ts';
import { type Db, transaction } from './connect.ts';
import type { Paging } from './launches.ts';
import type { GraduationStatus, PositionTable, TokenTable } from './schema.ts';
import type { Decision } from './switches.ts';

/** A token with its links parsed. */
export type TokenRecord = Omit<Selectable<TokenTable>, 'links'> & { readonly links: LaunchLinks };

export type PositionRecord = Selectable<PositionTable>;

/** Which tokens of the list, all filters combined. */
export interface TokenFilter {
  /** Part of the name or symbol in any case, or the beginning of the mint. */
  readonly q?: string;
  readonly mode?: LaunchMode;
  readonly status?: GraduationStatus;
  readonly quoteMint?: string;
  /** Category of the paired token. */
  readonly category?: string;
}

export interface TokenPage {
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

export type TokenRepository = ReturnType<typeof createTokenRepository>;

/** Tokens and their locked positions. A token that a fork withdrew is absent from every read. */
export function createTokenRepository(db: Db) {
  return {
    /** One token, hidden or not. */
    byMint: (mint: string) => byMint(db, mint),
    /** The two locked positions of a token, in order. */
    positions: (mint: string) => positions(db, mint),
    /** Tokens that are not hidden, newest first. */
    list: (filter: TokenFilter, paging: Paging) => list(db, filter, paging),
    /** Every token that is not hidden, in the order in which they became visible. */
    assetIndex: (slice: IndexSlice) => assetIndex(db, slice),
    /** Hides a token from lists, or shows it again. False when there is no such token. */
    setHidden: (mint: string, hidden: boolean, decision: Decision) => setHidden(db, mint, hidden, decision),
    /** Corrects the links that are shown; the permanent metadata stays as it is. False when there is no such token. */
    setLinks: (mint: string, links: LaunchLinks, decision: Decision) => setLinks(db, mint, links, decision),
    /** Removes a token from every read, because a fork undid its launch. False when it was not there. */
    withdrawToken: (mint: string) => withdrawToken(db, mint),
  };
}

const links = Compile(LaunchTermsSchema.properties.links);

function toTokenRecord(row: Selectable<TokenTable>): TokenRecord {
  if (!links.Check(row.links)) throw new Error(`links of token ${row.mint} cannot be read from the database`);
  return { ...row, links: row.links };
}

async function byMint(db: Db, mint: string): Promise<TokenRecord | null> {
  const row = await db
    .selectFrom('tokens')
    .selectAll()
    .where('mint', '=', mint)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst();
  return row ? toTokenRecord(row) : null;
}

function positions(db: Db, mint: string): Promise<PositionRecord[]> {
  return db
    .selectFrom('positions')
    .innerJoin('tokens', 'tokens.mint', 'positions.mint')
    .selectAll('positions')
    .where('positions.mint', '=', mint)
    .where('tokens.withdrawnAt', 'is', null)
    .orderBy('index')
    .execute();
}

async function list(db: Db, filter: TokenFilter, { page, pageSize }: Paging): Promise<TokenPage> {
  const { mode, status, quoteMint, category, q } = filter;
  const rows = await listed(db)
    .innerJoin('tokenMarkets', 'tokenMarkets.mint', 'tokens.mint')
    .where(sql<boolean>`listed`)
    .$if(mode !== undefined, (query) => query.where('tokenMarkets.mode', '=', mode!))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(quoteMint !== undefined, (query) => query.where('tokenMarkets.quoteMint', '=', quoteMint!))
    .$if(category !== undefined, (query) => query.where(isOfCategory(category!)))
    .$if(q !== undefined, (query) => query.where(matches(q!)))
    .orderBy('tokenMarkets.createdAt', 'desc')
    .orderBy('tokenMarkets.mint', 'desc')
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize)
    .execute();
  return { tokens: rows.slice(0, pageSize).map(toTokenRecord), hasMore: rows.length > pageSize };
}

async function assetIndex(db: Db, { limit, offset, order }: IndexSlice): Promise<TokenPage> {
  const direction = order === 'oldest' ? 'asc' : 'desc';
  const rows = await listed(db)
    .orderBy('listingNumber', direction)
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return { tokens: rows.slice(0, limit).map(toTokenRecord), hasMore: rows.length > limit };
}

function listed(db: Db) {
  // Literals, so that the planner can tell that the partial indexes apply.
  return db
    .selectFrom('tokens')
    .selectAll('tokens')
    .where(sql<boolean>`withdrawn_at is null and not hidden`);
}

function isOfCategory(category: string) {
  return sql<boolean>`tokens.quote_mint in (select mint from pairs where category = ${category})`;
}

function matches(q: string) {
  const escaped = q.replace(/[\\%_]/g, '\\$&');
  const part = `%${escaped.toLowerCase()}%`;
  return sql<boolean>`(lower(name) like ${part} or lower(symbol) like ${part} or tokens.mint like ${`${escaped}%`})`;
}

function setHidden(db: Db, mint: string, hidden: boolean, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const updated = await tx.updateTable('tokens').set({ hidden }).where('mint', '=', mint).executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await appendAudit(tx, { actor, action: hidden ? 'token.hide' : 'token.show', subject: `token/${mint}`, note });
    return true;
  });
}

function setLinks(db: Db, mint: string, wanted: LaunchLinks, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const updated = await tx
      .updateTable('tokens')
      .set({ links: JSON.stringify(wanted) })
      .where('mint', '=', mint)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await appendAudit(tx, { actor, action: 'token.links', subject: `token/${mint}`, note, details: { ...wanted } });
    return true;
  });
}

async function withdrawToken(db: Db, mint: string): Promise<boolean> {
  const updated = await db
    .updateTable('tokens')
    .set({ withdrawnAt: sql`now()` })
    .where('mint', '=', mint)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

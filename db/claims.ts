import { type Insertable, type Selectable, sql } from 'kysely';
import { type ClaimRefusal, type ClaimState, isClaimSettled, mayClaimFollow } from '../domain/claim-state.ts';
import type { Db } from './connect.ts';
import type { ClaimIntentTable } from './schema.ts';

/** A claim intent as it stands. */
export type ClaimIntent = Selectable<ClaimIntentTable>;

/** A claim that was just built. */
export type NewClaimIntent = Omit<
  Insertable<ClaimIntentTable>,
  'state' | 'signature' | 'refusal' | 'reason' | 'slot' | 'issuedAt' | 'expiresAt' | 'updatedAt'
> & {
  /** How long the creator has to sign it, in ms. */
  readonly validMs: number;
};

/** What becomes known with a transition. A field that is left out stays as it is. */
export interface ClaimDetails {
  readonly refusal?: ClaimRefusal;
  /** For people. */
  readonly reason?: string;
  /** Slot in which it landed; null when a fork took it back. */
  readonly slot?: bigint | null;
}

/** Whether this submission was the intent's first, and the intent as it stands. */
export interface ClaimSubmission {
  readonly isNew: boolean;
  readonly intent: ClaimIntent;
}

export type ClaimRepository = ReturnType<typeof createClaimRepository>;

/** Prepared claims. All times are the database's own. */
export function createClaimRepository(db: Db) {
  return {
    issue: (intent: NewClaimIntent) => issue(db, intent),
    byId: (intentId: string) => byId(db, intentId),
    /** Intents of a mint and wallet that can be submitted for at least `leastMs` more, the longest valid first. */
    openOf: (mint: string, wallet: string, leastMs: number) => openOf(db, mint, wallet, leastMs),
    /** Takes in the creator's signature (base58), if the intent is issued and its time is not over. */
    submit: (intentId: string, signature: string) => submit(db, intentId, signature),
    /** Books an intent as expired if it was not submitted and its time is over. Answers the intent as it stands. */
    expireIfDue: (intentId: string) => expireIfDue(db, intentId),
    /** Expires intents that no workflow tends because their wallet never held the Fee Key. Answers how many. */
    expireUnheld: () => expireUnheld(db),
    /** Moves an intent on and answers whether it happened: of two concurrent calls that exclude each other one gets false. */
    transition: (intentId: string, from: readonly ClaimState[], to: ClaimState, details: ClaimDetails = {}) =>
      transition(db, intentId, from, to, details),
    /** Intents without an end that have or need a workflow and that nothing touched for `quietMs`, oldest first. */
    untended: (quietMs: number, limit = 100) => untended(db, quietMs, limit),
  };
}

async function issue(db: Db, { validMs, ...intent }: NewClaimIntent): Promise<ClaimIntent> {
  return db
    .insertInto('claimIntents')
    .values({ ...intent, expiresAt: sql<Date>`now() + ${validMs} * interval '1 millisecond'` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function byId(db: Db, intentId: string): Promise<ClaimIntent | null> {
  return (await db.selectFrom('claimIntents').selectAll().where('intentId', '=', intentId).executeTakeFirst()) ?? null;
}

function openOf(db: Db, mint: string, wallet: string, leastMs: number): Promise<ClaimIntent[]> {
  return db
    .selectFrom('claimIntents')
    .selectAll()
    .where('mint', '=', mint)
    .where('wallet', '=', wallet)
    .where('state', '=', sql.lit('issued'))
    .where('expiresAt', '>', sql<Date>`now() + ${leastMs} * interval '1 millisecond'`)
    .orderBy('expiresAt', 'desc')
    .limit(5)
    .execute();
}

async function submit(db: Db, intentId: string, signature: string): Promise<ClaimSubmission> {
  const moved = await db
    .updateTable('claimIntents')
    .set({ state: 'submitted', signature, submittedAt: sql`now()`, updatedAt: sql`now()` })
    .where('intentId', '=', intentId)
    .where('state', '=', 'issued')
    .where('expiresAt', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  if (moved) return { isNew: true, intent: moved };
  return { isNew: false, intent: await expireIfDue(db, intentId) };
}

async function expireIfDue(db: Db, intentId: string): Promise<ClaimIntent> {
  await db
    .updateTable('claimIntents')
    .set({ state: 'expired', settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('intentId', '=', intentId)
    .where('state', '=', 'issued')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
  const intent = await byId(db, intentId);
  if (!intent) throw new Error(`claim intent ${intentId} is not in the database`);
  return intent;
}

async function expireUnheld(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('claimIntents')
    .set({ state: 'expired', settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('state', '=', sql.lit('issued'))
    .where('holdsFeeKey', '=', false)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

async function transition(
  db: Db,
  intentId: string,
  from: readonly ClaimState[],
  to: ClaimState,
  { refusal, reason, slot }: ClaimDetails,
): Promise<boolean> {
  const wrong = from.find((state) => !mayClaimFollow(state, to));
  if (wrong !== undefined) throw new RangeError(`claim ${intentId} cannot go from ${wrong} to ${to}`);
  const { numUpdatedRows } = await db
    .updateTable('claimIntents')
    .set({ state: to, refusal, reason, slot, updatedAt: sql`now()` })
    .$if(to === 'relayed', (query) => query.set({ relayedAt: sql`coalesce(relayed_at, now())` }))
    .$if(isClaimSettled(to), (query) => query.set({ settledAt: sql`now()` }))
    .where('intentId', '=', intentId)
    .where('state', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function untended(db: Db, quietMs: number, limit: number): Promise<ClaimIntent[]> {
  return db
    .selectFrom('claimIntents')
    .selectAll()
    .where(sql<boolean>`state not in ('finalized', 'not_landed', 'refused', 'expired')`)
    .where('updatedAt', '<', sql<Date>`now() - ${quietMs} * interval '1 millisecond'`)
    .where((eb) => eb.or([eb('state', '<>', 'issued'), eb('expiresAt', '<=', sql<Date>`now()`)]))
    .where((eb) => eb.or([eb('state', '<>', 'issued'), eb('holdsFeeKey', '=', true)]))
    .orderBy('updatedAt')
    .orderBy('intentId')
    .limit(limit)
    .execute();
}

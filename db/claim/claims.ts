/** Prepared claims. All times are the database's own. */

import { type Insertable, type Selectable, sql } from 'kysely';
import { type ClaimRefusal, type ClaimState, isClaimSettled, mayClaimFollow } from '../../domain/claim/state.ts';
import type { Db } from '../connect.ts';
import type { ClaimIntentTable } from '../schema/claim.ts';

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
  /** Another valid signature of the same message, under which it landed, base58. */
  readonly signature?: string;
}

/** An intent and how long it can still be submitted by the database's clock, in ms; 0 when its time is over. */
export type TimedClaimIntent = ClaimIntent & { readonly msLeft: number };

/** Which claims are looked for. */
export interface ClaimFilter {
  readonly mint?: string | undefined;
  readonly states?: readonly ClaimState[] | undefined;
}

/** For how long an intent that is open may be issued again instead of a new one, and what it would collect now. */
export interface ClaimRenewal {
  readonly validMs: number;
  /** Fees now, raw units. */
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** Whether this submission was the intent's first, and the intent as it stands. */
export interface ClaimSubmission {
  readonly isNew: boolean;
  readonly intent: ClaimIntent;
}

/** Writes a claim that was just built; its time starts now. */
export async function issue(db: Db, { validMs, ...intent }: NewClaimIntent): Promise<ClaimIntent> {
  return db
    .insertInto('claimIntents')
    .values({ ...intent, expiresAt: sql<Date>`now() + ${validMs} * interval '1 millisecond'` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The intent with this id, or null. */
export async function byId(db: Db, intentId: string): Promise<ClaimIntent | null> {
  return (await db.selectFrom('claimIntents').selectAll().where('intentId', '=', intentId).executeTakeFirst()) ?? null;
}

/** Open intents of a mint and wallet that were issued within the last `ageMs`, the longest valid first. */
export function openOf(db: Db, mint: string, wallet: string, ageMs: number): Promise<ClaimIntent[]> {
  return db
    .selectFrom('claimIntents')
    .selectAll()
    .where('mint', '=', mint)
    .where('wallet', '=', wallet)
    .where('state', '=', sql.lit('issued'))
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('issuedAt', '>', sql<Date>`now() - ${ageMs} * interval '1 millisecond'`)
    .orderBy('expiresAt', 'desc')
    .limit(5)
    .execute();
}

/** Starts the time of an open intent anew; null when it is not open any more. */
export async function renew(
  db: Db,
  intentId: string,
  { validMs, baseRaw, quoteRaw }: ClaimRenewal,
): Promise<ClaimIntent | null> {
  const renewed = await db
    .updateTable('claimIntents')
    .set({ expiresAt: sql`now() + ${validMs} * interval '1 millisecond'`, baseRaw, quoteRaw, updatedAt: sql`now()` })
    .where('intentId', '=', intentId)
    .where('state', '=', 'issued')
    .where('expiresAt', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  return renewed ?? null;
}

/** Takes in the creator's signature (base58), if the intent is issued and its time is not over. */
export async function submit(db: Db, intentId: string, signature: string): Promise<ClaimSubmission> {
  const moved = await db
    .updateTable('claimIntents')
    .set({ state: 'submitted', signature, submittedAt: sql`now()`, updatedAt: sql`now()` })
    .where('intentId', '=', intentId)
    .where('state', '=', 'issued')
    .where('expiresAt', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  if (moved) return { isNew: true, intent: moved };
  const intent = await expireIfDue(db, intentId);
  if (!intent) throw new Error(`claim intent ${intentId} is not in the database`);
  return { isNew: false, intent };
}

/** Books an intent as expired if it was not submitted and its time is over. Answers it as it stands, null without one. */
export async function expireIfDue(db: Db, intentId: string): Promise<TimedClaimIntent | null> {
  await db
    .updateTable('claimIntents')
    .set({ state: 'expired', settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('intentId', '=', intentId)
    .where('state', '=', 'issued')
    .where('expiresAt', '<=', sql<Date>`now()`)
    .execute();
  const intent = await db
    .selectFrom('claimIntents')
    .selectAll()
    // The same clock that expires it: a worker's own may be ahead, and would find it open again and again.
    .select(sql<number>`greatest(0, ceil(extract(epoch from expires_at - now()) * 1000))::integer`.as('msLeft'))
    .where('intentId', '=', intentId)
    .executeTakeFirst();
  return intent ?? null;
}

/** Expires intents that no workflow tends because their wallet never held the Fee Key. Answers how many. */
export async function expireUnheld(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('claimIntents')
    .set({ state: 'expired', settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('state', '=', sql.lit('issued'))
    .where('holdsFeeKey', '=', false)
    .where('expiresAt', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Intents deleted at once. */
const MOST_DISCARDED = 5_000;

/**
 * Deletes intents that expired: of wallets without the Fee Key after an hour, of its holders after a week, because a database that is
 * set back may believe of one that was relayed that it expired. Anybody can make them. Answers how many.
 */
export async function discardExpired(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('claimIntents')
    .where('intentId', 'in', (eb) =>
      eb
        .selectFrom('claimIntents as old')
        .select('old.intentId')
        // Literals, so that the planner can tell that the partial index applies.
        .where(sql<boolean>`old.state = 'expired'`)
        .where(
          sql<boolean>`old.settled_at < now() - case when old.holds_fee_key then interval '7 days' else interval '1 hour' end`,
        )
        .where(sql<boolean>`old.settled_at < now() - interval '1 hour'`)
        .orderBy('old.settledAt')
        .limit(MOST_DISCARDED),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Moves an intent on and answers whether it happened: of two concurrent calls that exclude each other one gets false. */
export async function transition(
  db: Db,
  intentId: string,
  from: readonly ClaimState[],
  to: ClaimState,
  { refusal, reason, slot, signature }: ClaimDetails = {},
): Promise<boolean> {
  const wrong = from.find((state) => !mayClaimFollow(state, to));
  if (wrong !== undefined) throw new RangeError(`claim ${intentId} cannot go from ${wrong} to ${to}`);
  const { numUpdatedRows } = await db
    .updateTable('claimIntents')
    .set({ state: to, refusal, reason, slot, signature, updatedAt: sql`now()` })
    .$if(to === 'relayed', (query) => query.set({ relayedAt: sql`coalesce(relayed_at, now())` }))
    .$if(isClaimSettled(to), (query) => query.set({ settledAt: sql`now()` }))
    .where('intentId', '=', intentId)
    .where('state', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The intent that was submitted with this signature (base58), or null. */
export async function bySignature(db: Db, signature: string): Promise<ClaimIntent | null> {
  const rows = db.selectFrom('claimIntents').selectAll().where('signature', '=', signature);
  return (await rows.executeTakeFirst()) ?? null;
}

/** Intents in some of these states (default: in any), the newest first. */
export function newest(db: Db, { mint, states }: ClaimFilter, limit: number): Promise<ClaimIntent[]> {
  return db
    .selectFrom('claimIntents')
    .selectAll()
    .$if(mint !== undefined, (query) => query.where('mint', '=', mint!))
    .$if(states !== undefined, (query) => query.where('state', 'in', states!))
    .orderBy('issuedAt', 'desc')
    .orderBy('intentId')
    .limit(limit)
    .execute();
}

/** Intents without an end that have or need a workflow and that nothing touched for `quietMs`, by id from behind `after`. */
export function untended(db: Db, quietMs: number, after: string | null, limit: number): Promise<ClaimIntent[]> {
  return db
    .selectFrom('claimIntents')
    .selectAll()
    .where(sql<boolean>`state not in ('finalized', 'not_landed', 'refused', 'expired')`)
    .where('updatedAt', '<', sql<Date>`now() - ${quietMs} * interval '1 millisecond'`)
    .where((eb) => eb.or([eb('state', '<>', 'issued'), eb('expiresAt', '<=', sql<Date>`now()`)]))
    .where((eb) => eb.or([eb('state', '<>', 'issued'), eb('holdsFeeKey', '=', true)]))
    .$if(after !== null, (query) => query.where('intentId', '>', after))
    .orderBy('intentId')
    .limit(limit)
    .execute();
}

/** All times are the database's own. */

import { type Insertable, type Selectable, sql } from 'kysely';
import { type ClaimRefusal, type ClaimState, isClaimSettled, mayClaimFollow } from '../../domain/claim/state.ts';
import { claimKillPurpose } from '../../domain/claim/purpose.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { Db } from '../connect.ts';
import { type DueLock, takeDueLock } from '../money/due-lock.ts';
import type { ClaimIntentTable } from '../schema/claim.ts';

export type ClaimIntent = Selectable<ClaimIntentTable>;

export type NewClaimIntent = Omit<
  Insertable<ClaimIntentTable>,
  'state' | 'signature' | 'signedMessage' | 'refusal' | 'reason' | 'slot' | 'issuedAt' | 'expiresAt' | 'updatedAt'
> & {
  /** Time to sign, ms. */
  readonly validMs: number;
};

/** An omitted field stays. */
export interface ClaimDetails {
  readonly refusal?: ClaimRefusal;
  readonly reason?: string;
  /** Null when a fork removed it. */
  readonly slot?: bigint | null;
  /** Other valid signature of the message, under which it landed, base58. */
  readonly signature?: string;
}

/** `msLeft` by the database's clock; 0 when expired. */
export type TimedClaimIntent = ClaimIntent & { readonly msLeft: number };

export interface ClaimFilter {
  readonly mint?: string | undefined;
  readonly states?: readonly ClaimState[] | undefined;
}

export interface ClaimRenewal {
  readonly validMs: number;
  /** Now, raw units. */
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

export interface ClaimSubmission {
  readonly isNew: boolean;
  readonly intent: ClaimIntent;
}

/** Its validity starts now. */
export async function issue(db: Db, { validMs, ...intent }: NewClaimIntent): Promise<ClaimIntent> {
  return db
    .insertInto('claimIntents')
    .values({ ...intent, expiresAt: sql<Date>`now() + ${validMs} * interval '1 millisecond'` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function byId(db: Db, intentId: string): Promise<ClaimIntent | null> {
  return (await db.selectFrom('claimIntents').selectAll().where('intentId', '=', intentId).executeTakeFirst()) ?? null;
}

/** Returns those of these ids that have an intent; the name of a workflow may hold any text. */
export async function knownAmong(db: Db, intentIds: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = intentIds.filter(isUuid);
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ intentId: string }>`
    select intent_id from claim_intents where intent_id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ intentId }) => intentId));
}

/** Lists unexpired claims that were issued within `ageMs`, longest valid first. */
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

/** Null if no longer open. */
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

/** Submits the intent if it is issued and unexpired. `signedMessage`: if it may differ from the issued one. */
export async function submit(
  db: Db,
  intentId: string,
  signature: string,
  signedMessage: Uint8Array | null = null,
): Promise<ClaimSubmission> {
  const moved = await db
    .updateTable('claimIntents')
    .set({
      state: 'submitted',
      signature,
      signedMessage,
      submittedAt: sql`now()`,
      updatedAt: sql`now()`,
    })
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

export function signedMessageOf({ message, signedMessage }: ClaimIntent): Uint8Array {
  return signedMessage ?? message;
}

/** Returns its current state; null without one. */
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
    // The clock that expires it: a worker's own, if ahead, would keep finding it open.
    .select(sql<number>`greatest(0, ceil(extract(epoch from expires_at - now()) * 1000))::integer`.as('msLeft'))
    .where('intentId', '=', intentId)
    .executeTakeFirst();
  return intent ?? null;
}

/** Expires claims of wallets that never held the Fee Key; no workflow handles them. Returns how many. */
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

const MOST_DISCARDED = 5_000;

/**
 * Deletes expired claims, which any client can create. Deletes those without the Fee Key after an hour, those of
 * holders after a week: a restored database may record a relayed intent as expired. Returns how many.
 */
export async function discardExpired(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('claimIntents')
    .where('intentId', 'in', (eb) =>
      eb
        .selectFrom('claimIntents as old')
        .select('old.intentId')
        // The partial index has exactly this condition.
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

/** Moves the claim to a state. Of two conflicting calls one returns false. */
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

/**
 * Ends a claim by advancing its nonce.
 *
 * @throws when the claim is no longer being killed
 */
export async function lockKilling(tx: Db, intentId: string): Promise<DueLock> {
  const lock = await takeDueLock(
    tx,
    () => [claimKillPurpose(intentId)],
    () => {
      const row = tx.selectFrom('claimIntents').select('state').where('intentId', '=', intentId);
      return row.where('state', '=', 'killing').forUpdate().executeTakeFirst();
    },
  );
  if (!lock) throw new Error(`claim ${intentId} is not to be ended any more`);
  return lock;
}

export async function bySignature(db: Db, signature: string): Promise<ClaimIntent | null> {
  const rows = db.selectFrom('claimIntents').selectAll().where('signature', '=', signature);
  return (await rows.executeTakeFirst()) ?? null;
}

/** Lists claims in these states (default: any), newest first. */
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

export function idle(db: Db, quietMs: number, after: string | null, limit: number): Promise<ClaimIntent[]> {
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

/** Lists claims that were submitted before a moment and are neither relayed, being killed nor ended, longest first. */
export function overdue(db: Db, since: Date, limit: number): Promise<ClaimIntent[]> {
  return (
    db
      .selectFrom('claimIntents')
      .selectAll()
      // For the partial index.
      .where(sql<boolean>`state not in ('finalized', 'not_landed', 'refused', 'expired')`)
      .where('state', 'in', ['submitted', 'relaying'])
      .where('submittedAt', '<', since)
      .orderBy('submittedAt')
      .orderBy('intentId')
      .limit(limit)
      .execute()
  );
}

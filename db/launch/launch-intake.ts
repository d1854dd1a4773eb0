import { sql, type Transaction } from 'kysely';
import { lamports } from '../../domain/amounts.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import { assertMayOpen, type UnpaidLaunchLimits } from './unpaid-launches.ts';
import type { Opener } from './opener-limits.ts';
import * as lateQuotes from './late-quotes.ts';
import type { LateLimits } from './late-quotes.ts';
import * as recipientSets from '../airdrop/recipient-sets.ts';
import { type LaunchRecord, toLaunchRecord } from './launch-records.ts';
import type { Database } from '../schema/database.ts';

export interface LaunchIntake {
  readonly terms: LaunchTerms;
  /** Of the payment, base58. */
  readonly signature: string;
  /** As the creator signed it. */
  readonly wire: Uint8Array;
  /** As stored; null for a known launch. */
  readonly logo: Uint8Array | null;
  /** In the form used for limits. */
  readonly client?: string;
  /** Wider than that address, or null. */
  readonly clientNetwork: string | null;
}

export type LateSubmission = Omit<LaunchIntake, 'logo'>;

/** `isNew`: the launch's first submission. */
export interface IntakeResult {
  readonly isNew: boolean;
  readonly launch: LaunchRecord;
}

/** The quote was refused as late: no launch of it ever begins. Nothing was written. */
export class LateQuoteError extends Error {
  constructor(quoteId: string) {
    super(`quote ${quoteId} was submitted too late before`);
    this.name = 'LateQuoteError';
  }
}

/**
 * The first of a quote creates the launch; every other, even concurrent, only adds its signature as an alias.
 *
 * @throws ContradictionError when the terms differ, or mint or signature belong to another launch
 * @throws TooManyUnpaidError over `limits`
 * @throws LateQuoteError after `refuseIntake`
 */
export function insertIntake(db: Db, intake: LaunchIntake, limits?: UnpaidLaunchLimits): Promise<IntakeResult> {
  const { quoteId } = intake.terms;
  return transaction(db, async (tx) => {
    await lockQuote(tx, quoteId);
    if (await lateQuotes.byQuoteId(tx, quoteId)) throw new LateQuoteError(quoteId);
    const isNew = await insertLaunch(tx, intake);
    if (isNew) await insertFirstDetails(tx, intake);
    if (isNew && limits) await assertMayOpen(tx, openerOf(intake), limits);
    const launch = await readSame(tx, intake.terms);
    await addSignature(tx, intake, isNew ? 'submitted' : 'alias');
    return { isNew, launch };
  });
}

/** Locks the quote until the transaction ends: the later of both finds what the earlier wrote. */
async function lockQuote(tx: Transaction<Database>, quoteId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quote/${quoteId}`}, 0))`.execute(tx);
}

function openerOf({ terms, client, clientNetwork }: LateSubmission): Opener {
  const { quoteId, creator } = terms;
  return { quoteId, creator, client: client ?? null, clientNetwork };
}

/**
 * Refuses a quote, so that no launch of it ever begins. Of this and a concurrent `insertIntake` one writes its row,
 * the other finds it. Returns the launch if one exists, maybe in progress; null when refused.
 * @throws ContradictionError as `insertIntake`
 * @throws TooManyLateError
 */
export function refuseIntake(db: Db, intake: LateSubmission, limits: LateLimits): Promise<LaunchRecord | null> {
  const { terms, signature, wire, client = null } = intake;
  const { quoteId, addresses, payment } = terms;
  return transaction(db, async (tx) => {
    await lockQuote(tx, quoteId);
    const known = await tx
      .selectFrom('launches')
      .select('quoteId')
      .where((eb) => eb.or([eb('quoteId', '=', quoteId), eb('mint', '=', addresses.mint)]))
      .executeTakeFirst();
    if (known === undefined) {
      const blockhashSlot = BigInt(payment.blockhashSlot);
      const lastValidBlockHeight = BigInt(payment.lastValidBlockHeight);
      await lateQuotes.add(tx, { signature, quoteId, client, wire, blockhashSlot, lastValidBlockHeight }, limits);
      return null;
    }
    const launch = await readSame(tx, terms);
    await addSignature(tx, intake, 'alias');
    return launch;
  });
}

async function insertLaunch(tx: Transaction<Database>, intake: LateSubmission): Promise<boolean> {
  const inserted = await tx
    .insertInto('launches')
    .values({
      ...columnsOf(intake.terms),
      state: 'received',
      submittedSignature: intake.signature,
      submittedWire: intake.wire,
      client: intake.client,
      clientNetwork: intake.clientNetwork,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('quoteId')
    .executeTakeFirst();
  return inserted !== undefined;
}

function columnsOf(terms: LaunchTerms) {
  return {
    quoteId: terms.quoteId,
    terms: JSON.stringify(terms),
    seedId: terms.seedId,
    creator: terms.creator,
    mint: terms.addresses.mint,
    mode: terms.fee.mode,
    quoteMint: terms.quoteToken.mint,
    name: terms.name,
    symbol: terms.symbol,
    paymentLamports: lamports(BigInt(terms.payment.lamports)),
  };
}

async function insertFirstDetails(tx: Transaction<Database>, { terms, logo }: LaunchIntake): Promise<void> {
  const { quoteId, logoType, airdrop } = terms;
  if (logo === null) throw new Error(`the intake of launch ${quoteId} brings no logo, and the launch is not known`);
  await tx.insertInto('launchLogos').values({ quoteId, contentType: logoType, bytes: logo }).execute();
  await tx.insertInto('launchStateHistory').values({ quoteId, state: 'received' }).execute();
  if (airdrop) await recipientSets.keepForLaunch(tx, airdrop.recipientsHash);
}

/**
 * A wallet signs a few times, but a key's holder can create any number. The status endpoint does not find further ones;
 * their submits get the launch's response.
 */
const MOST_ALIASES = 20;

async function addSignature(tx: Transaction<Database>, intake: LateSubmission, kind: 'submitted' | 'alias') {
  const { signature, terms } = intake;
  if (kind === 'submitted' || (await countSignatures(tx, terms.quoteId)) <= MOST_ALIASES) {
    await tx
      .insertInto('launchSignatures')
      .values({ signature, quoteId: terms.quoteId, kind })
      .onConflict((conflict) => conflict.column('signature').doNothing())
      .execute();
  }
  const owner = await tx
    .selectFrom('launchSignatures')
    .select('quoteId')
    .where('signature', '=', signature)
    .executeTakeFirst();
  if (owner === undefined || owner.quoteId === terms.quoteId) return;
  throw new ContradictionError(`launch/${terms.quoteId}`, `signature ${signature} belongs to launch ${owner.quoteId}`);
}

async function countSignatures(tx: Transaction<Database>, quoteId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('launchSignatures')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('quoteId', '=', quoteId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function readSame(tx: Transaction<Database>, terms: LaunchTerms): Promise<LaunchRecord> {
  const subject = `launch/${terms.quoteId}`;
  const row = await tx
    .selectFrom('launches')
    .selectAll()
    .select(sql<boolean>`terms = ${JSON.stringify(terms)}::jsonb`.as('sameTerms'))
    .where('quoteId', '=', terms.quoteId)
    .executeTakeFirst();
  if (!row) throw new ContradictionError(subject, `mint ${terms.addresses.mint} belongs to another launch`);
  const { sameTerms, ...launch } = row;
  if (!sameTerms) throw new ContradictionError(subject, 'was submitted before with other terms');
  return toLaunchRecord(launch);
}

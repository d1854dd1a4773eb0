import { sql, type Transaction } from 'kysely';
import { lamports } from '../../domain/amounts.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import { assertMayOpen } from './open-launches.ts';
import type { Opener, OpenerLimits } from './opener-limits.ts';
import * as recipientSets from '../airdrop/recipient-sets.ts';
import { type LaunchRecord, toLaunchRecord } from './launch-records.ts';
import type { Database } from '../schema/database.ts';

/** A verified submission, before anything is signed by the platform. */
export interface LaunchIntake {
  readonly terms: LaunchTerms;
  /** The creator's signature of the payment, base58. */
  readonly signature: string;
  /** The payment as the creator signed it. */
  readonly wire: Uint8Array;
  readonly logo: Uint8Array;
  /** Network address it was submitted from, as it is counted by. */
  readonly client?: string;
}

/** Whether this submission was the launch's first, and the launch as it stands. */
export interface IntakeResult {
  readonly isNew: boolean;
  readonly launch: LaunchRecord;
}

/**
 * Commits a submission. The first one of a quote makes the launch; each further one only adds its signature as an alias,
 * however many arrive at once. Throws a ContradictionError when the quote was submitted with other terms, or its
 * mint or this signature belongs to another launch, and a TooManyOpenError when a new launch goes beyond `limits`.
 */
export function insertIntake(db: Db, intake: LaunchIntake, limits?: OpenerLimits): Promise<IntakeResult> {
  return transaction(db, async (tx) => {
    const isNew = await insertLaunch(tx, intake, { state: 'received' });
    if (isNew) await insertFirstDetails(tx, intake);
    if (isNew && limits) await assertMayOpen(tx, openerOf(intake), limits);
    const launch = await readSame(tx, intake.terms);
    await addSignature(tx, intake, isNew ? 'submitted' : 'alias');
    return { isNew, launch };
  });
}

function openerOf({ terms, client }: LaunchIntake): Opener {
  return { quoteId: terms.quoteId, creator: terms.creator, client: client ?? null };
}

/**
 * Commits that a submission came too late, so that nothing of its quote is ever begun: of this and a concurrent `insertIntake`
 * one makes the row and the other finds it. Answers the launch as it stands, which may be under way. Throws like `insertIntake`.
 */
export function refuseIntake(db: Db, intake: LaunchIntake, reason: string): Promise<LaunchRecord> {
  return transaction(db, async (tx) => {
    const isNew = await insertLaunch(tx, intake, { state: 'not_landed', reason });
    const { quoteId } = intake.terms;
    if (isNew)
      await tx.insertInto('launchStateHistory').values({ quoteId, state: 'not_landed', note: reason }).execute();
    const launch = await readSame(tx, intake.terms);
    await addSignature(tx, intake, isNew ? 'submitted' : 'alias');
    return launch;
  });
}

/** How a launch begins, and why it ends at once where it does. */
type Beginning = Pick<LaunchRecord, 'state'> & Partial<Pick<LaunchRecord, 'reason'>>;

async function insertLaunch(tx: Transaction<Database>, intake: LaunchIntake, beginning: Beginning): Promise<boolean> {
  // A concurrent insert of the same quote makes this one wait and then do nothing.
  const inserted = await tx
    .insertInto('launches')
    .values({
      ...columnsOf(intake.terms),
      ...beginning,
      submittedSignature: intake.signature,
      submittedWire: intake.wire,
      // Counted only while it is unpaid and under way.
      client: beginning.state === 'received' ? intake.client : null,
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
  await tx.insertInto('launchLogos').values({ quoteId, contentType: logoType, bytes: logo }).execute();
  await tx.insertInto('launchStateHistory').values({ quoteId, state: 'received' }).execute();
  if (airdrop) await recipientSets.keepForLaunch(tx, airdrop.recipientsHash);
}

/**
 * Signatures of one launch that are kept as aliases: a wallet signs a message once, or a few times where it tries again; whoever has
 * the key could make any number. One more is not found by the status endpoint; its submit gets the launch's answer all the same.
 */
const MOST_ALIASES = 20;

async function addSignature(tx: Transaction<Database>, intake: LaunchIntake, kind: 'submitted' | 'alias') {
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

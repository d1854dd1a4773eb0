import type { Insertable, Selectable, Transaction } from 'kysely';
import { statesWith } from '../../domain/launch/machine.ts';
import { type LaunchLinks, parseLaunchTerms } from '../../domain/launch/terms.ts';
import * as airdrops from '../airdrop/airdrops.ts';
import type { NewAirdrop } from '../airdrop/airdrops.ts';
import { skeletonsOf } from '../look-alikes.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import { transitionLaunch } from './launch-transition.ts';
import type { Database } from '../schema/database.ts';
import type { LaunchTable } from '../schema/launch.ts';
import type { PositionTable, TokenTable } from '../schema/tokens.ts';
import * as tokenMarkets from '../market/token-markets.ts';

/** A token without columns that follow from the launch. */
export type LaunchedToken = Omit<
  Insertable<TokenTable>,
  | 'feeRecipient'
  | 'links'
  | 'hidden'
  | 'quoteId'
  | 'createdAt'
  | 'createdSlot'
  | 'withdrawnAt'
  | 'symbolSkeleton'
  | 'nameSkeleton'
> & { readonly links: LaunchLinks };

export type LaunchedPosition = Omit<Insertable<PositionTable>, 'mint'>;

/** Record of a launch, made once all its transactions are confirmed. */
export interface LaunchRecording {
  readonly quoteId: string;
  readonly paymentSignature: string;
  /** Of the bundle's last transaction. */
  readonly slot: bigint;
  readonly launchedAt: Date;
  readonly token: LaunchedToken;
  readonly positions: readonly [LaunchedPosition, LaunchedPosition];
  /** Null for a launch without an airdrop. */
  readonly airdrop: NewAirdrop | null;
}

type RecordedLaunch = Pick<Selectable<LaunchTable>, 'state' | 'paymentSignature' | 'slot' | 'launchedAt' | 'terms'>;

/** Operators may correct these; a repeat must not revert them. */
const CORRECTABLE: ReadonlySet<string> = new Set(['links', 'logoUrl', 'url']);

/**
 * A repeat changes nothing and returns `already`. After a fork moved or withdrew the launch, updates slot and time
 * and shows the token again.
 *
 * @throws ContradictionError for other facts of the mint, or a state that cannot complete
 */
export function recordLaunch(db: Db, recording: LaunchRecording): Promise<'recorded' | 'already'> {
  return transaction(db, async (tx) => {
    // Serializes recordings of one launch.
    const launch = await lockLaunch(tx, recording.quoteId);
    if (isRecorded(launch, recording)) {
      await checkToken(tx, recording);
      return 'already';
    }
    const { quoteId, paymentSignature, slot, launchedAt } = recording;
    const details = { paymentSignature, slot, launchedAt, reason: null };
    if (!(await transitionLaunch(tx, quoteId, statesWith('recorded'), 'completed', details))) {
      throw new ContradictionError(`launch/${quoteId}`, `is ${launch.state} and cannot complete`);
    }
    const { opening, feeRecipient = null } = parseLaunchTerms(launch.terms);
    await writeToken(tx, recording, feeRecipient);
    // Listed at once, before its first trade.
    await tokenMarkets.open(tx, recording.token.mint, opening, slot);
    await writePositions(tx, recording);
    if (recording.airdrop) await airdrops.plan(tx, recording.airdrop);
    return 'recorded';
  });
}

async function lockLaunch(tx: Transaction<Database>, quoteId: string): Promise<RecordedLaunch> {
  const row = await tx
    .selectFrom('launches')
    .select(['state', 'paymentSignature', 'slot', 'launchedAt', 'terms'])
    .where('quoteId', '=', quoteId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new ContradictionError(`launch/${quoteId}`, 'is not known');
  return row;
}

function isRecorded(launch: RecordedLaunch, { paymentSignature, slot, launchedAt }: LaunchRecording): boolean {
  if (launch.paymentSignature !== paymentSignature) return false;
  const sameBlock = launch.slot === slot && launch.launchedAt?.getTime() === launchedAt.getTime();
  // A finalized launch keeps its slot.
  return launch.state === 'finalized' || (launch.state === 'completed' && sameBlock);
}

async function checkToken(tx: Transaction<Database>, { token, quoteId, positions }: LaunchRecording): Promise<void> {
  await assertToken(tx, { ...token, quoteId });
  for (const position of positions) await assertPosition(tx, { ...position, mint: token.mint });
}

async function writeToken(
  tx: Transaction<Database>,
  recording: LaunchRecording,
  feeRecipient: string | null,
): Promise<void> {
  const { token, quoteId, launchedAt, slot } = recording;
  const when = { createdAt: launchedAt, createdSlot: slot };
  const written = await tx
    .insertInto('tokens')
    .values({ ...token, ...skeletonsOf(token), ...when, quoteId, feeRecipient, links: JSON.stringify(token.links) })
    // On conflict the existing row is compared below.
    .onConflict((conflict) => conflict.doNothing())
    .returning('mint')
    .executeTakeFirst();
  if (written) return;
  await assertToken(tx, { ...token, quoteId });
  const shown = { ...when, withdrawnAt: null };
  await tx.updateTable('tokens').set(shown).where('mint', '=', token.mint).execute();
}

async function assertToken(tx: Transaction<Database>, token: LaunchedToken & { quoteId: string }): Promise<void> {
  const row = await tx.selectFrom('tokens').selectAll().where('mint', '=', token.mint).executeTakeFirst();
  assertSame(`token/${token.mint}`, token, row);
}

async function writePositions(tx: Transaction<Database>, { token, positions }: LaunchRecording): Promise<void> {
  const wanted = positions.map((position) => ({ ...position, mint: token.mint }));
  const written = await tx
    .insertInto('positions')
    .values(wanted)
    .onConflict((conflict) => conflict.doNothing())
    .returning('index')
    .execute();
  const present = wanted.filter((position) => !written.some(({ index }) => index === position.index));
  for (const position of present) await assertPosition(tx, position);
}

async function assertPosition(tx: Transaction<Database>, wanted: Insertable<PositionTable>): Promise<void> {
  const row = await tx
    .selectFrom('positions')
    .selectAll()
    .where('mint', '=', wanted.mint)
    .where('index', '=', wanted.index)
    .executeTakeFirst();
  assertSame(`position/${wanted.mint}/${wanted.index}`, wanted, row);
}

function assertSame(subject: string, wanted: object, row: object | undefined): void {
  if (!row) throw new ContradictionError(subject, 'one of its addresses is recorded for something else');
  const recorded = new Map<string, unknown>(Object.entries(row));
  for (const [field, value] of Object.entries(wanted) as [string, unknown][]) {
    const present = recorded.get(field);
    if (CORRECTABLE.has(field) || present === (value ?? null)) continue;
    throw new ContradictionError(
      subject,
      `${field} is recorded as ${String(present)}, the chain says ${String(value)}`,
    );
  }
}

import { PublicKey } from '@solana/web3.js';
import { sql } from 'kysely';
import pg from 'pg';
import type { LaunchState } from '../../../../domain/launch/state.ts';
import type { Prepared } from '../../../support/platform/creator.ts';
import type { RealStack } from './real-stack.ts';
import { completedActivities, isTakenUp, lookAtBooks, pendingActivities, type Sight } from './sight.ts';

/** A moment in the life of a launch at which a process can be ended. */
export interface Point {
  readonly name: string;
  /** Whether the launch has come so far. */
  readonly reached: (stack: RealStack, launch: Prepared) => Promise<boolean>;
  /** Prepares the moment before the launch begins; the answer undoes it. */
  readonly arm?: (stack: RealStack) => Promise<() => Promise<void>>;
  /** Comes after `completed`: blocks must be finalized, and the emptying be asked for. */
  readonly isLate?: true;
}

/** Every moment between two steps of a launch that leaves a mark, and those between two effects within one. */
export const POINTS: readonly Point[] = [
  { name: 'intake', reached: books(({ state }) => state !== undefined) },
  { name: 'taken up', reached: isTakenUp },
  { name: 'signed', reached: isWaitingToPersist, arm: forbidInserts },
  { name: 'tried again', reached: isTriedAgain('assembleBundle'), arm: forbidInserts },
  { name: 'persisted', reached: books(({ ledger }) => ledger.length === 4) },
  { name: 'simulated', reached: books(({ isStoring }) => isStoring) },
  { name: 'stored', reached: done('storeMetadata') },
  { name: 'released', reached: books(({ ledger }) => ledger.includes('broadcasting')) },
  { name: 'sent', reached: isMintInABlock },
  { name: 'landed', reached: since('recording', 'completed', 'finalized') },
  { name: 'recorded', reached: since('completed', 'finalized') },
  { name: 'finalized', reached: since('finalized'), isLate: true },
  { name: 'emptying', reached: books(({ isEmptyingSigned }) => isEmptyingSigned), isLate: true },
  { name: 'emptied', reached: books(({ isEmptied }) => isEmptied), isLate: true },
];

function books(holds: (sight: Sight) => boolean): Point['reached'] {
  return async (stack, launch) => holds(await lookAtBooks(stack, launch));
}

function since(...states: LaunchState[]): Point['reached'] {
  return books(({ state }) => state !== undefined && states.includes(state));
}

function done(activity: string): Point['reached'] {
  return async (stack, launch) => (await completedActivities(stack, launch)).includes(activity);
}

/** The first try has lasted too long, and the step is an activity of its own now. */
function isTriedAgain(activity: string): Point['reached'] {
  return async (stack, launch) => (await pendingActivities(stack, launch)).includes(activity);
}

/** In a block that nobody has voted on yet. */
async function isMintInABlock({ connection }: RealStack, { mint }: Prepared): Promise<boolean> {
  return (await connection.getAccountInfo(new PublicKey(mint), 'processed')) !== null;
}

/** Lets nobody write to the ledger until it is undone: whoever has signed waits there with what it signed. */
export async function forbidInserts({ stack }: Pick<RealStack, 'stack'>): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  // The server may be what is killed; then the lock is gone with it.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin; lock table chain_transactions in share row exclusive mode');
  return () => client.end().catch(() => undefined);
}

/** Whether somebody waits for that lock. */
export async function isWaitingToPersist({ db }: Pick<RealStack, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ waiting: boolean }>`select exists (
    select 1 from pg_locks where not granted and relation = 'chain_transactions'::regclass) as waiting`.execute(db);
  return rows[0]?.waiting === true;
}

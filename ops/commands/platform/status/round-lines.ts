import { type Client, type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client';
import * as buyback from '../../../../workflows/buyback/messages.ts';
import * as claim from '../../../../workflows/claim/messages.ts';
import * as feeSweep from '../../../../workflows/fee-sweep/messages.ts';
import * as launch from '../../../../workflows/launch/messages.ts';
import * as market from '../../../../workflows/market/messages.ts';
import * as money from '../../../../workflows/money/messages.ts';
import * as proof from '../../../../workflows/proof/messages.ts';
import * as restock from '../../../../workflows/restock/messages.ts';
import * as reward from '../../../../workflows/reward/messages.ts';
import type { Round } from '../../../../workflows/start.ts';
import { duration } from '../../../output.ts';
import { type StatusLine, WORKER_REMEDY } from './line.ts';

/** Those that users wait for first. */
const ROUNDS = [launch, claim, money, reward, market, feeSweep, restock, buyback, proof].flatMap((messages) =>
  Object.values<unknown>(messages).filter(isRound),
);

function isRound(value: unknown): value is Round {
  return typeof value === 'object' && value !== null && 'scheduleId' in value;
}

/** A round may be skipped while its last run works. */
const CADENCES = 3;

interface RoundLook {
  readonly now: Date;
  readonly address: string;
}

/** Lists schedules that are missing or paused, and runs that do not end. */
export async function roundLines(client: Client, { now, address }: RoundLook): Promise<StatusLine[]> {
  const found = await Promise.all(ROUNDS.map(({ scheduleId }) => roundLine(client, scheduleId, { now, address })));
  return found.flat();
}

async function roundLine(client: Client, scheduleId: string, { now, address }: RoundLook): Promise<StatusLine[]> {
  const schedule = await describe(client, scheduleId);
  if (schedule === null) {
    const what = `${scheduleId} has no schedule: no worker has started in this namespace`;
    return [{ alert: 'SlipwayRoundLate', subject: 'round', is: 'late', what, remedy: WORKER_REMEDY }];
  }
  const lateMs = now.getTime() - lastRunOf(schedule).getTime();
  const { paused, note } = schedule.state;
  // One that is paused is forgotten easily, and everything that it does stands still from then on.
  if (!paused && lateMs <= CADENCES * cadenceOf(schedule)) return [];
  const reason = paused ? `; it is paused${note ? `: ${note}` : ''}` : '';
  const verb = paused ? 'toggle --unpause' : 'trigger';
  return [
    {
      alert: 'SlipwayRoundLate',
      subject: 'round',
      is: paused ? 'paused' : 'late',
      what: `${scheduleId} began last ${duration(lateMs)} ago, due every ${duration(cadenceOf(schedule))}${reason}`,
      remedy: `temporal schedule ${verb} --schedule-id ${scheduleId} --namespace ${client.options.namespace} --address ${address}`,
    },
  ];
}

async function describe(client: Client, scheduleId: string): Promise<ScheduleDescription | null> {
  try {
    return await client.schedule.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** Time of the last run; before the first, of the schedule's creation. */
function lastRunOf({ info: { recentActions, createdAt } }: ScheduleDescription): Date {
  return new Date(Math.max(createdAt.getTime(), ...recentActions.map(({ takenAt }) => takenAt.getTime())));
}

function cadenceOf({ spec }: ScheduleDescription): number {
  return Math.max(0, ...(spec.intervals ?? []).map(({ every }) => Number(every)));
}

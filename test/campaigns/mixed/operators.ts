import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { carryOutRemedy } from '../../../workflows/money/messages.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { count } from '../counts.ts';
import type { Dice } from './wishes.ts';

/** Somebody who closes work while it is being paid. */
export interface Operator {
  close(): Promise<void>;
  /** How often a remedy was carried out, and how often it was refused, by what it was for. */
  readonly ended: Readonly<Record<string, number>>;
}

/** How long a remedy is waited for, in seconds. */
const WAIT_SECONDS = 60;

export function createOperator({ db, temporal }: RealStack, dice: Dice): Operator {
  const ended: Record<string, number> = {};
  return {
    ended,
    close: async () => {
      const { rows } = await sql<{ subject: string }>`
        select 'reward/' || id as subject from reward_rounds where state <> 'done'
        union all select 'buyback/' || id from buyback_rounds where state <> 'done'
        union all select 'fee-sweep/' || mint || '/' || number from fee_sweeps where state <> 'done'
        order by subject`.execute(db);
      const subject = rows[dice(Math.max(1, rows.length))]?.subject;
      if (subject === undefined) return;
      const request = { remedy: 'close' as const, subject, actor: 'campaign', note: 'closed while it is being paid' };
      const { done } = await carryOutRemedy(temporal, randomUUID(), request, WAIT_SECONDS);
      count(ended, `${subject.split('/')[0]} ${done ? 'closed' : 'refused'}`);
    },
  };
}

import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RealStack } from '../../chaos/processes/real-stack.ts';
import { failOver, failoverProblems } from '../../drill/failover.ts';
import { specOf } from '../../drill/releases.ts';
import { addStandby, endStandby } from '../../drill/standby.ts';
import { ops } from '../../../support/ops/ops-run.ts';
import { AWAY_MS, type Fault, type Ground } from './fault.ts';

/** Players whose work a backup must know: what a client was told, an operator decided, or a purchase without a name. */
const KNOWN_BY_BACKUP = /^(launch|open a market|claim|strangers: (drain|submit late)|operator: close|rounds: restock)$/;

/** What the server of the database can do beyond its death. */
export const DATABASE_FAULTS = {
  'the database fails over to its standby': { isLong: true, act: failOverToStandby },
  'an older backup of the database is restored': { isLong: true, act: restoreOlder },
} as const satisfies Record<string, Fault>;

/** A standby joins, the primary is lost, and the standby takes its place under the same address. */
async function failOverToStandby({ stack }: Ground): Promise<void> {
  const primary = specOf(stack, 'postgres');
  const standbyUrl = await addStandby(stack);
  await sleep(AWAY_MS);
  const witnessed = await failOver(stack, standbyUrl, async () => {
    await endStandby(stack);
    const data = join(stack.layout.postgres, 'data');
    rmSync(data, { recursive: true });
    renameSync(join(stack.layout.postgres, 'standby'), data);
    await stack.stack.start(primary);
  });
  const problems = failoverProblems(witnessed);
  if (problems.length > 0) throw new Error(problems.join('; '));
}

/**
 * The database goes back by some seconds, as docs/runbook.md says to restore it. Rounds, trades, payouts and strangers
 * go on meanwhile: what they moved must be found on the chain.
 */
async function restoreOlder({ stack, players }: Ground): Promise<void> {
  const [data, backup] = ['data', 'older-backup'].map((name) => join(stack.layout.postgres, name)) as [string, string];
  await players.pausedWhile(KNOWN_BY_BACKUP, async () => {
    await whileEnded(stack, ['postgres'], () => execFileSync('cp', ['-a', data, backup]));
    await sleep(AWAY_MS);
    await whileEnded(stack, ['api', 'worker'], async () => {
      await whileEnded(stack, ['postgres'], () => {
        rmSync(data, { recursive: true });
        renameSync(backup, data);
      });
      await operate(stack, 'addresses discard-free');
      await operate(stack, 'events renew');
    });
  });
}

async function operate({ stack }: RealStack, command: string): Promise<void> {
  const words = [...command.split(' '), '--note', 'restored an older backup', '--yes'];
  const { status, message } = await ops({ DATABASE_URL: stack.databaseUrl }, words);
  if (status !== 0) throw new Error(`ops ${command} ended with ${status}: ${message}`);
}

/** Ends parts, in this order, and starts them again in the other one. */
async function whileEnded(stack: RealStack, parts: readonly string[], act: () => unknown): Promise<void> {
  const specs = parts.map((part) => specOf(stack, part));
  for (const { name } of specs) await stack.stack.end(name);
  try {
    await act();
  } finally {
    for (const spec of specs.toReversed()) await stack.stack.start(spec);
  }
}

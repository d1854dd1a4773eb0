import { Client, Connection } from '@temporalio/client';
import { createApi } from '../../../client/index.ts';
import type { RunningStack } from '../../../dev/stack/index.ts';
import { FEE_SWEEP_ROUND } from '../../../workflows/fee-sweep/messages.ts';
import { REWARD_ROUNDS } from '../../../workflows/reward/messages.ts';
import { eventually } from '../platform/eventually.ts';
import { runRound } from '../platform/run-round.ts';

/** Settings under which a reward round is over as soon as the chain allows, and begins only when it is told to. */
export const QUICK_ROUNDS = {
  REWARD_SALE_WINDOW_SECONDS: '0',
  REWARD_SNAPSHOT_WINDOW_SLOTS: '3',
  REWARD_ROUND_EVERY_SECONDS: '3600',
} as const;

/**
 * Has the platform do at once what its schedules do by the hour: collect its fees, and pay the holders of a reward coin. Resolves when
 * that round is over.
 */
export async function runRounds(
  { temporalAddress, temporalNamespace, apiUrl }: RunningStack,
  mint: string,
): Promise<void> {
  const connection = await Connection.connect({ address: temporalAddress });
  const api = createApi({ url: apiUrl });
  try {
    const ground = { client: new Client({ connection, namespace: temporalNamespace }) };
    await runRound(ground, FEE_SWEEP_ROUND);
    await eventually(async () => {
      const { rounds } = await api.ask('GET /tokens/{mint}/rewards/rounds', { path: { mint } });
      // What was traded a moment ago is planned with once it is final.
      if (rounds.length === 0) await runRound(ground, REWARD_ROUNDS);
      return rounds.some(({ state }) => state === 'done') ? true : null;
    }, `the end of a reward round of ${mint}`);
  } finally {
    await connection.close();
  }
}

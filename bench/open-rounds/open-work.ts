import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { runRound } from '../../test/support/platform/run-round.ts';
import { REWARD_ROUNDS } from '../../workflows/reward/messages.ts';
import { launchOnce } from '../calls/launches.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import type { OpenRoundsFixture } from './reward-coins.ts';
import { until } from '../until.ts';

const MAX_LAMPORTS = 20_000_000_000n;

export interface OpenWork {
  readonly rounds: number;
  readonly airdrops: number;
}

export async function beginRounds(ground: OpenRoundsFixture, count: number): Promise<void> {
  // Only once its pool's change is final.
  await until(`${count} open reward rounds`, async () => {
    await runRound({ client: ground.rig.temporal }, REWARD_ROUNDS);
    const { rounds } = await openWork(ground);
    process.stderr.write(`${rounds} of ${count} reward rounds are open\n`);
    return rounds === count || null;
  });
}

export async function beginAirdrops(
  { rig }: OpenRoundsFixture,
  count: number,
  airdropTier: 'top1000' | 'top5000' = 'top1000',
): Promise<void> {
  const pair = SEED_PAIRS.find(({ holders }) => holders > 0);
  if (!pair) throw new Error('no pair has holders');
  const airdrop = { airdropPercent: 5, airdropTier, airdropSource: 'quote-holders' } as const;
  const wish = { ...rig.wish, quoteMint: pair.mint.toBase58(), mode: 'reward' as const, ...airdrop };
  const launching = async () => launchOnce(rig, await prepareLaunch({ ...rig, wish }, MAX_LAMPORTS));
  await Promise.all(Array.from({ length: count }, launching));
}

export async function openWork({ db }: OpenRoundsFixture): Promise<OpenWork> {
  const rounds = await db.selectFrom('rewardRounds').select('id').where('state', '!=', 'done').execute();
  const airdrops = await db.selectFrom('airdrops').select('quoteId').where('deliveredAt', 'is', null).execute();
  return { rounds: rounds.length, airdrops: airdrops.length };
}

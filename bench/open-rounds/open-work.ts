import { setTimeout as sleep } from 'node:timers/promises';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { runRound } from '../../test/support/platform/run-round.ts';
import { REWARD_ROUNDS } from '../../workflows/reward/messages.ts';
import { launchOnce } from '../calls/launches.ts';
import { prepareLaunch } from '../launch-latency/prepare.ts';
import type { OpenRoundsGround } from './reward-coins.ts';

/** An airdrop to a thousand wallets pays for a thousand accounts. */
const MAX_LAMPORTS = 4_000_000_000n;

const LOOK_EVERY_MS = 1_000;

/** Work that has begun and not ended. */
export interface OpenWork {
  readonly rounds: number;
  readonly airdrops: number;
}

/** Plans reward rounds until there are so many. */
export async function beginRounds(ground: OpenRoundsGround, count: number): Promise<void> {
  // What changed a pool must be final before a coin is looked at.
  for (;;) {
    await runRound({ client: ground.rig.temporal }, REWARD_ROUNDS);
    const { rounds } = await openWork(ground);
    process.stderr.write(`${rounds} of ${count} reward rounds are open\n`);
    if (rounds === count) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Launches coins with airdrops to a thousand wallets each, which begin when their launch is final. */
export async function beginAirdrops({ rig }: OpenRoundsGround, count: number): Promise<void> {
  const pair = SEED_PAIRS.find(({ holders }) => holders > 0);
  if (!pair) throw new Error('no pair has holders');
  const airdrop = { airdropPercent: 5, airdropTier: 'top1000', airdropSource: 'quote-holders' } as const;
  const wish = { ...rig.wish, quoteMint: pair.mint.toBase58(), mode: 'reward' as const, ...airdrop };
  const launching = async () => launchOnce(rig, await prepareLaunch({ ...rig, wish }, MAX_LAMPORTS));
  await Promise.all(Array.from({ length: count }, launching));
}

/** What is open now. */
export async function openWork({ db }: OpenRoundsGround): Promise<OpenWork> {
  const rounds = await db.selectFrom('rewardRounds').select('id').where('state', '!=', 'done').execute();
  const airdrops = await db.selectFrom('airdrops').select('quoteId').where('deliveredAt', 'is', null).execute();
  return { rounds: rounds.length, airdrops: airdrops.length };
}

import { availableParallelism, loadavg } from 'node:os';
import { sql } from 'kysely';
import { openRounds, planQuietRewards, planRewardPage } from '../activities/reward/plan.ts';
import type { RewardDeps } from '../activities/reward/deps.ts';
import type { Db } from '../db/connect.ts';
import * as rewardTokens from '../db/reward/reward-tokens.ts';
import { createTestServices } from '../test/setup/services.ts';
import { openSeeded } from './reads/seeded.ts';
import { spreadOf } from './statistics.ts';
import { wantsJson } from './bench-command.ts';

// A planning run over 99,411 idle reward tokens, and the pages that find traded ones. Run: node bench/idle-planning.ts
// [--json]

const json = wantsJson('idle-planning');

const TOKENS = 133_265;
const REWARD_TOKENS = 99_411;
const TRADED = 5_000;
const RUNS = 7;

const services = createTestServices((text) => process.stderr.write(`${text}\n`));
try {
  const { adminUrl } = await services.postgres();
  const db = await openSeeded(adminUrl, { tokens: TOKENS, swaps: 0 });
  await seedLooks(db);
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await planNothing(db));
  // The first run finds fresh tables.
  const { p50, max } = spreadOf(runs.slice(1));
  const met = await meetTraded(db);
  report({ tokens: REWARD_TOKENS, p50, max, traded: TRADED, met });
  await db.destroy();
} finally {
  await services.stop();
}

async function seedLooks(db: Db): Promise<void> {
  await sql`alter table tokens disable trigger user`.execute(db);
  await sql`update tokens set mode = 'reward', fee_tier = null, reward_tax_bps = 100 where mint in (
    select mint from tokens order by mode, mint limit ${sql.lit(REWARD_TOKENS)})`.execute(db);
  await sql`update tokens set mode = 'standard', fee_tier = '1%', reward_tax_bps = null where mint in (
    select mint from tokens where mode = 'reward' order by mint offset ${sql.lit(REWARD_TOKENS)})`.execute(db);
  await sql`alter table tokens enable trigger user`.execute(db);
  await sql`insert into reward_tokens (mint, seed_id, pot) select mint, 's', 'pot of ' || mint from tokens where mode = 'reward'`.execute(
    db,
  );
  await sql`update pool_cursors set seen = 'seen', rewards_seen = 'seen'`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** Any call to the chain fails. ms. */
async function planNothing(db: Db): Promise<number> {
  const begun = performance.now();
  const deps = withoutChain(db);
  await openRounds(deps);
  const { planned, next } = await planRewardPage(deps, '');
  const quiet = await planQuietRewards(deps);
  if (planned.length + quiet.length > 0 || next !== null) throw new Error('something was due');
  return performance.now() - begun;
}

/** Others throw on access. */
function withoutChain(db: Db): RewardDeps {
  const parts: Partial<RewardDeps> = { db, rewards: { tokensPerRun: 500 } as RewardDeps['rewards'] };
  return new Proxy(parts as RewardDeps, {
    get(target, name) {
      if (name in target) return Reflect.get(target, name) as unknown;
      throw new Error(`planning asked for ${String(name)} with nothing due`);
    },
  });
}

/** Tokens found, and database ms. */
async function meetTraded(db: Db): Promise<{ readonly tokens: number; readonly ms: number }> {
  await sql`update pool_cursors set seen = 'traded' where mint in (
    select mint from reward_tokens order by md5(mint) limit ${sql.lit(TRADED)})`.execute(db);
  const begun = performance.now();
  let tokens = 0;
  for (let after = ''; ;) {
    const page = await rewardTokens.due(db, after, 100);
    const last = page.at(-1);
    if (!last) return { tokens, ms: performance.now() - begun };
    tokens += page.length;
    after = last.pool;
  }
}

interface Figures {
  readonly tokens: number;
  readonly p50: number;
  readonly max: number;
  readonly traded: number;
  readonly met: { readonly tokens: number; readonly ms: number };
}

function report(figures: Figures): void {
  const { tokens, p50, max, traded, met } = figures;
  const machine = { load: loadavg()[0] ?? 0, cores: availableParallelism() };
  if (json) return console.log(JSON.stringify({ bench: 'idle-planning', ...figures, ...machine }));
  console.log(`${tokens} reward tokens, none traded: ${p50.toFixed(1)} ms of SQL, most ${max.toFixed(1)}, no RPC call`);
  console.log(`${traded} traded: one run meets ${met.tokens}, its pages take ${met.ms.toFixed(0)} ms of SQL`);
  console.log(`load ${machine.load.toFixed(1)} on ${machine.cores} cores`);
}

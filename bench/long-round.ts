import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { createEndpoint } from '../chain/rpc/json-rpc.ts';
import * as rewardRounds from '../db/reward/reward-rounds.ts';
import { runRound } from '../test/support/platform/run-round.ts';
import { startMarketIndex } from '../workflows/market/messages.ts';
import { REWARD_ROUNDS, rewardRoundWorkflowId } from '../workflows/reward/messages.ts';
import { benchCommand } from './bench-command.ts';
import { endWorker, onlyCounted, quietRuntime, withCountedWorker } from './calls/fixture.ts';
import { type Measured, measuredOf } from './calls/report.ts';
import { createRig } from './launch-latency/rig.ts';
import { runsOf, type WorkflowRuns } from './long-round/histories.ts';
import { writeHolders } from './long-round/holders.ts';
import { judge, type Judgement } from './long-round/judge.ts';
import { type OwnStack, withOwnStack } from './own-stack.ts';
import { buy, type CoinFixture, launchBought, settled } from './reward-round/coin.ts';
import { ROUND_ACTIVITIES, untilDone } from './reward-round/round.ts';
import { wholeNumber } from './whole-number.ts';

interface Options {
  readonly json?: true;
  readonly transactions: number;
  readonly slotMs: number;
}

const PAID_AT_ONCE = 14;

/** Pays shares below five cents too. */
const VARIABLES = {
  REWARD_SNAPSHOT_WINDOW_SLOTS: '180',
  REWARD_SALE_WINDOW_SECONDS: '5',
  REWARD_MIN_HOLDING_USD: '0',
  REWARD_MIN_PAYOUT_USD: '0',
};

const BOUGHT_AGAIN = '400';

const LOOK_EVERY_MS = 500;

const TELL_EVERY_MS = 30_000;

interface Memory {
  readonly before: number;
  readonly most: number;
}

interface Report {
  readonly holders: number;
  readonly slotMs: number;
  readonly runs: WorkflowRuns;
  readonly judgement: Judgement;
  readonly memory: Memory;
  readonly counted: Measured;
  readonly round: { readonly state: string; readonly note: string | null; readonly tries: number };
  readonly next: { readonly number: number; readonly state: string };
}

async function measure({ json, transactions, slotMs }: Options): Promise<void> {
  quietRuntime();
  const report = await withOwnStack(async (own) => {
    const rig = await createRig(own, 1);
    try {
      const variables = { ...(await endWorker(own)), ...VARIABLES };
      return await withCountedWorker(variables, 1, onlyCounted(ROUND_ACTIVITIES), (ground) =>
        measureRound({ own, rig, ground }, transactions, slotMs),
      );
    } finally {
      await rig.close();
    }
  });
  console.log(json === true ? JSON.stringify({ bench: 'long-round', ...report }) : describe(report));
}

async function measureRound(coinFixture: CoinFixture, transactions: number, slotMs: number): Promise<Report> {
  const { own, rig, ground } = coinFixture;
  const { db } = ground.shared;
  await startMarketIndex(rig.temporal);
  const coin = await launchBought(coinFixture);
  // The trader is paid too.
  const held = await writeHolders(coinFixture, coin, transactions * PAID_AT_ONCE - 1);
  await settled(coinFixture, coin.mint);
  process.stderr.write(`${held.size} holders are there\n`);
  await setSlotMs(own, slotMs);
  ground.tally.take();
  const memory = watchMemory();
  const telling = setInterval(() => void tell(coinFixture, coin.mint), TELL_EVERY_MS);
  const begun = performance.now();
  await runRound({ client: rig.temporal }, REWARD_ROUNDS);
  const round = await untilDone(ground.shared, coin.mint);
  const seconds = (performance.now() - begun) / 1_000;
  const handle = rig.temporal.workflow.getHandle(rewardRoundWorkflowId(round.id));
  await handle.result();
  const counted = measuredOf('the round', { endpoints: 1, times: 1, seconds, tallied: ground.tally.take() });
  const most = memory.end();
  clearInterval(telling);
  process.stderr.write(`the round is ${round.state}\n`);
  const judgement = await judge(coinFixture, coin, round, held);
  await buy(coinFixture, coin, BOUGHT_AGAIN);
  await settled(coinFixture, coin.mint);
  await runRound({ client: rig.temporal }, REWARD_ROUNDS);
  const [next] = await rewardRounds.newest(db, 1, coin.mint);
  return {
    holders: held.size + 1,
    slotMs,
    runs: await runsOf(rig.temporal, handle.workflowId),
    judgement,
    memory: most,
    counted,
    round: { state: round.state, note: round.note, tries: round.tries },
    next: { number: next?.number ?? 0, state: next?.state ?? 'none' },
  };
}

async function tell({ ground: { shared } }: CoinFixture, mint: string): Promise<void> {
  const [round] = await rewardRounds.newest(shared.db, 1, mint);
  if (!round) return;
  const rows = shared.db.selectFrom('rewardTransactions').select(({ fn }) => fn.countAll<bigint>().as('count'));
  const { count } = await rows.where('roundId', '=', round.id).where('state', '=', 'done').executeTakeFirstOrThrow();
  process.stderr.write(`${round.state}, ${count} transactions, problem ${round.problem}\n`);
}

const Anything = Compile(Type.Unknown());

async function setSlotMs({ stack }: OwnStack, slotMs: number): Promise<void> {
  const endpoint = createEndpoint({ url: stack.rpcUrl, index: 0, timeoutMs: 10_000, fetch });
  await endpoint.call('localnet_setSlotMs', [{ slotMs }], Anything);
}

function watchMemory(): { end(): Memory } {
  const used = () => Math.round(process.memoryUsage.rss() / 1e6);
  const before = used();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, used())), LOOK_EVERY_MS);
  return {
    end() {
      clearInterval(looking);
      return { before, most };
    },
  };
}

function describe({ holders, slotMs, runs, judgement, memory, counted, round, next }: Report): string {
  const { payoutTransactions: count, paid, exact, wrong, paidRaw, receivedRaw, potRaw } = judgement;
  const paying = runs.seconds['payRewards'] ?? 0;
  const ofPaying = counted.parts['payRewards'] ?? { rpc: 0, sql: 0 };
  const each = (figure: number) => (figure / Math.max(1, count)).toFixed(2);
  return [
    `${count} payout transactions to ${holders} holders at ${slotMs} ms a slot: ${round.state}, note ${round.note}, ` +
      `${round.tries} tries that failed`,
    `paying: ${paying.toFixed(0)} s, ${(count / Math.max(1, paying)).toFixed(1)} transactions a second, ` +
      `${each(ofPaying.rpc)} RPC calls and ${each(ofPaying.sql)} statements for one`,
    `whole round: ${counted.rpc} RPC calls, ${counted.sql} statements`,
    `workflow: ${runs.activities} activities, ${runs.events} events in the longest history, ${runs.runs} runs`,
    `seconds by activity: ${JSON.stringify(runs.seconds)}`,
    `memory of worker and bench: ${memory.before} MB before, at most ${memory.most} MB`,
    `books: ${paid} paid, ${exact} have exactly that, ${wrong} do not; ${paidRaw} raw units left the pot, ${receivedRaw} came in; ` +
      `in the pot ${potRaw.join(' by the books, ')} by the chain`,
    `the next round: number ${next.number}, ${next.state}`,
  ].join('\n');
}

await benchCommand('long-round')
  .option('--transactions <count>', 'payout transactions of the round', wholeNumber(1, 20_000), 300)
  .option('--slot-ms <count>', "the local chain's slots during the round, ms", wholeNumber(100, 800), 400)
  .action(measure)
  .parseAsync();

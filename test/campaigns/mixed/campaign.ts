import { setTimeout as sleep } from 'node:timers/promises';
import { inParallel } from '../../../chain/rpc/in-parallel.ts';
import { unbooked } from '../../../db/money/holdings.ts';
import { launchPlatformToken } from '../../../dev/platform-token.ts';
import { createDice } from '../../support/dice.ts';
import type { ChainVerdict } from '../chaos/chain-verdict.ts';
import { type RealStack, startRealStack } from '../chaos/processes/real-stack.ts';
import { countOf } from '../counts.ts';
import { brokenWorkflows } from '../drill/left-open.ts';
import { createFront } from '../drill/front.ts';
import { answerProblems } from '../drill/problems.ts';
import { type FollowedLaunch, judged, launchOnce, type LaunchWish } from '../drill/load.ts';
import { createAdversaries } from './adversaries.ts';
import { claimProblems, potProblems, saverProblems } from './balances.ts';
import { comeToRest, findings, openWork, PLANNING, TENDING, triggerAll } from './come-to-rest.ts';
import { startEventReaders } from './event-readers.ts';
import { failedRequests } from './failed-requests.ts';
import { createMarkets } from './markets.ts';
import { createOperator } from './operators.ts';
import { createPlayers } from './play-on.ts';
import { createTell } from './progress.ts';
import { verifyAll } from './proofs.ts';
import { JUDGED_AT_ONCE, recount } from './recount.ts';
import type { MixedReport } from './report.ts';
import { RESTOCK_ROUND } from '../../../workflows/restock/messages.ts';
import { WINDOW_SLOTS } from './settings.ts';
import { secretsAtRest } from './secrets-at-rest.ts';
import { createRefusedCreator } from './refused-wishes.ts';
import { createStranger } from './strangers.ts';
import { createStrikes, type FaultName } from './faults/index.ts';
import { oddLaunches, oddSymbol } from './odd-pairs.ts';
import { startThinMarket, type ThinMarket } from './thin-market.ts';
import { createWishes, type Dice } from './wishes.ts';

/** How long everybody plays, and where their choices come from. */
export interface MixedOptions {
  readonly playMs: number;
  /** Ends the play before its time once so many launches were followed to their end; 0: by time alone. */
  readonly launches: number;
  /** Creators who launch one token after the other, at the same time. */
  readonly creators: number;
  /** Readers of each tap of the event log. */
  readonly readers: number;
  readonly seed: number;
  /** Faults that must strike. */
  readonly faults: readonly FaultName[];
}

/** Rounds come when they are triggered, see little value as enough, and do not wait for a good moment. */
const ENVIRONMENT = {
  RATE_LIMIT_CLAIM_PREPARE: '1000000',
  // Whose subnets drain: the strangers' one network, and nobody else's address.
  TRUST_PROXY: '127.0.0.1',
  UNPAID_LAUNCHES_PER_NETWORK: '20',
  REWARD_ROUND_EVERY_SECONDS: '3600',
  REWARD_SNAPSHOT_WINDOW_SLOTS: String(WINDOW_SLOTS),
  REWARD_SALE_WINDOW_SECONDS: '1',
  FEE_SWEEP_MIN_USD: '0.1',
  BUYBACK_MIN_USD: '0.1',
  WEBHOOK_LOOPBACK: '1',
};

/**
 * Workflows that a strike may fail: a run of a schedule, named after its time, whose work the next one does; and a
 * remedy, which its operator decides again. A remedy also ends when its operator waits no longer.
 */
const MAY_FAIL = /^workflow (remedy-[-0-9a-f]+ is (failed|timed_out)|.*-\d{4}-\d{2}-\d{2}T[\d:]+Z is failed)$/;

/** Rounds that are asked for all the time; restocks have no name that a restored ledger could know them by. */
const ROUNDS = [...PLANNING, ...TENDING].filter((round) => round !== RESTOCK_ROUND);

/** A reward round's workflow that knows more than a restored database: the planner, or an operator, starts it again. */
const MAY_FAIL_AFTER_RESTORE = /^workflow reward-round-[-0-9a-f]+ is failed$/;

/** Pauses of those who play, in ms. */
const PAUSES = {
  launch: 500,
  open: 20_000,
  trade: 700,
  claim: 8_000,
  plan: 4_000,
  stranger: 1_500,
  drain: 4_000,
  late: 8_000,
  move: 8_000,
  swindle: 5_000,
  refused: 3_000,
  operator: 10_000,
  strike: 6_000,
};

/** A stack, and the market of its prices and restocks. */
export interface MixedStack {
  readonly real: RealStack;
  readonly thin: ThinMarket;
  close(): Promise<void>;
}

/**
 * A stack on which everything is at work; who plays and who judges asks an endpoint that nothing is done to. By an even
 * seed the platform has three endpoints, one of which lies about lookup tables; by an odd one it has one, which costs
 * the local chain a third of the calls.
 */
export async function startMixedStack(seed: number): Promise<MixedStack> {
  const thin = await startThinMarket(seed % 4 === 0);
  const { variables, endpoints } = thin;
  const options = { platformToken: true, rpcPath: '/rpc/judge', ...(seed % 2 === 0 && { endpoints }) };
  const real = await startRealStack({ ...ENVIRONMENT, ...variables }, options);
  const { platformToken } = real.stack;
  if (platformToken === null) throw new Error('the stack has no platform token');
  await thin.openOn(real);
  await launchPlatformToken(real.stack, platformToken);
  return { real, thin, close: async () => void (await real.close(), await thin.close()) };
}

/**
 * Launches, trades, claims, airdrops, rewards, sweeps and purchases all at once, while parts are killed, the chain misbehaves and
 * strangers are in the way; then lets everything come to its end, and compares the books with the chain to the unit.
 */
export async function playMixed(
  { real, thin }: MixedStack,
  { playMs, launches: wanted, creators, readers, seed, faults }: MixedOptions,
): Promise<MixedReport> {
  const tell = createTell();
  const front = createFront([real.stack.siteUrl]);
  const stack = { ...real, api: front.api };
  const [players, launches] = [createPlayers(), [] as JudgedLaunch[]];
  const dice = (n: number): Dice => createDice(seed * 100 + n);
  const [markets, stranger] = [createMarkets(stack, dice(1)), await createStranger(stack, dice(2))];
  const [wishes, blows, moves] = [createWishes(dice(3)), dice(4), dice(7)];
  // The front repeats what is refused for now.
  const refused = createRefusedCreator(real, dice(8));
  const [adversaries, operator] = [createAdversaries(stack, dice(5)), createOperator(stack, dice(6))];
  const endpoints = seed % 2 === 0 ? ['default', 'second'] : ['default'];
  const strikes = createStrikes({ stack, thin, markets, players, endpoints, dice: blows }, faults);
  const events = startEventReaders(stack, readers, seed);
  await markets.open();
  const enough = Promise.withResolvers<void>();
  const launch = async () => {
    launches.push(await launchJudged(stack, wishes()));
    if (launches.length === wanted) enough.resolve();
  };
  const startedAt = performance.now();
  for (let creator = 0; creator < creators; creator++) players.join('launch', PAUSES.launch, launch);
  players.join('strangers: drain', PAUSES.drain, () => adversaries.drain());
  players.join('strangers: submit late', PAUSES.late, () => adversaries.submitLate());
  players.join('strangers: move a price', PAUSES.move, () => thin.move(moves));
  players.join('strangers: swindle', PAUSES.swindle, () => thin.swindle(stack));
  players.join('strangers: ask for what is refused', PAUSES.refused, () => refused.ask());
  players.join('operator: close', PAUSES.operator, () => operator.close());
  players.join('open a market', PAUSES.open, () => markets.open());
  players.join('trade', PAUSES.trade, () => markets.trade());
  players.join('claim', PAUSES.claim, () => markets.claim());
  players.join('rounds', PAUSES.plan, () => triggerAll(stack, ROUNDS));
  players.join('rounds: restock', PAUSES.plan, () => triggerAll(stack, [RESTOCK_ROUND]));
  for (const act of ['name', 'dust', 'give', 'repeat'] as const) {
    players.join(`strangers: ${act}`, PAUSES.stranger, () => stranger[act]());
  }
  players.join('strike', PAUSES.strike, () => strikes.strike());
  await Promise.race([sleep(playMs), enough.promise]);
  const seconds = (performance.now() - startedAt) / 1_000;
  const launchesAnHour = Math.round((launches.length / seconds) * 3_600);
  await players.stop();
  tell(`${launches.length} launches in ${Math.round(seconds)} s; everything comes to rest`);
  await comeToRest(stack, tell);
  tell('nothing is open; every booked amount is compared with the chain');
  const { bookings, steps, problems } = await recount(stack);
  tell(`${bookings} bookings compared; every reader is compared with the log`);
  const readerProblems = await events.problems();
  tell('readers compared; everything is verified');
  const proofs = await verifyAll(stack);
  tell('everything verified; responses, launches and balances are judged');
  const launched = launches.filter(({ verdict }) => verdict.outcome === 'launched');
  const oddPairs = oddLaunches(launched.map(({ quoteMint }) => oddSymbol(quoteMint)));
  const mayFail = strikes.hasRestored() ? [MAY_FAIL, MAY_FAIL_AFTER_RESTORE] : [MAY_FAIL];
  return {
    seed,
    seconds: Math.round(seconds),
    launchesAnHour,
    did: players.done,
    failed: players.failed,
    answers: front.answers(),
    struck: strikes.struck,
    oddPairs,
    refused: refused.refused,
    launches: countOf(launches.map(({ verdict }) => verdict.outcome)),
    adversaries: adversaries.ended,
    closed: operator.ended,
    moved: thin.moved,
    restocks: await thin.restocks(stack),
    markets: markets.count(),
    claims: countOf(markets.claims.map(({ http }) => `answered ${http}`)),
    bookings,
    movements: steps,
    eventsHandled: events.handled(),
    cuts: events.cuts,
    verified: proofs.verified,
    unproven: proofs.open,
    problems: [
      ...strikes.problems(),
      ...(faults.length > 0 ? [...neverOf('launched', oddPairs), ...neverOf('refused', refused.refused)] : []),
      ...refused.problems,
      ...answerProblems(front.answers()),
      ...failedRequests(stack),
      ...markets.problems,
      ...(await inParallel(JUDGED_AT_ONCE, launches, launchProblems)).flat(),
      ...problems,
      ...readerProblems,
      ...proofs.problems,
      ...(await adversaries.problems()),
      ...(await thin.problems(stack)),
      ...(await claimProblems(stack, markets.claims)),
      ...(await potProblems(stack, stranger.given)),
      ...(await saverProblems(stack, markets.savers)),
      ...(await unbooked(stack.db, 0)).map(({ purpose, signature }) => `${purpose} is final as ${signature}, unbooked`),
      ...(await findings(stack)),
      ...(await secretsAtRest(stack)),
      ...(await brokenWorkflows(stack)).filter((problem) => !mayFail.some((pattern) => pattern.test(problem))),
      ...Object.entries(await openWork(stack)).map(([what, count]) => `${count} ${what} are open again`),
    ],
  };
}

function neverOf(what: string, counts: Readonly<Record<string, number>>): string[] {
  const never = Object.keys(counts).filter((name) => counts[name] === 0);
  return never.map((name) => `${name}: never ${what}`);
}

interface JudgedLaunch extends FollowedLaunch {
  readonly verdict: ChainVerdict;
}

/** Tax that sweeps burn belongs to no launch; `recount` compares it with the books. */
async function launchJudged(stack: RealStack, wish: LaunchWish): Promise<JudgedLaunch> {
  const launch = await launchOnce(stack, wish);
  return { ...launch, verdict: await judged(stack, { ...launch, isSwept: true }) };
}

/** What was broken at the launch, and whether its creator paid anything since. */
async function launchProblems({ creator, before, prepared, verdict }: JudgedLaunch): Promise<string[]> {
  const since = before - verdict.debit - (await creator.balance());
  const later = since === 0 ? [] : [`its creator paid ${since} lamports more afterwards`];
  return [...verdict.problems, ...later].map((problem) => `launch ${prepared.quoteId}: ${problem}`);
}

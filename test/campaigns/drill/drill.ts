import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DeskMarket, openDeskMarket } from '../../support/claim/desk-market.ts';
import type { RealStack } from '../chaos/processes/real-stack.ts';
import { countOf } from '../counts.ts';
import { addBouncer, addProxy, BETWEEN } from './between.ts';
import { beginClaim, endOfClaims, type OpenClaim } from './claims.ts';
import { failOver, failoverProblems, type OwnDatabase, ownDatabase, type Witnessed } from './failover.ts';
import { createFront, type Front } from './front.ts';
import {
  brokenWorkflows,
  forgottenLaunches,
  marketIndexProblems,
  openLaunches,
  ranChanged,
  retryingWorkflows,
  untakenActivities,
  untilDrained,
  untilNoLaunchIsOpen,
} from './left-open.ts';
import { type FollowedLaunch, judged, startLoad } from './load.ts';
import { layOutNextRelease } from './next-release.ts';
import { problemsOf, type Seen } from './problems.ts';
import type { DrillReport, Step } from './report.ts';
import { addApi, addWorker, makeCurrent, migrate, type Release, replaceApi, restartWith } from './releases.ts';
import { PRIMARY } from './settings.ts';
import { slowClients } from './slow-clients.ts';
import { addStandby } from './standby.ts';

/** How hard, how long, and what is killed on the way. */
export interface DrillOptions {
  readonly clients: number;
  /** How long each release is held under load, in ms. */
  readonly holdMs: number;
  /** Parts that are ended by `kill -9` before the release. */
  readonly killed: readonly string[];
  /** Name of a planted bug that n+1 has, to see that it is found; empty for none. */
  readonly planted: string;
  /** Whether n+1 has another task queue in the place of one of n. */
  readonly movesQueue: boolean;
}

const THIS: Release = { root: join(import.meta.dirname, '../../..'), buildId: 'n' };

/** Pace of the chain while nothing but finality is waited for, in ms per slot. */
const FAST_SLOT_MS = 10;

/** What every step works with. */
interface Fixture {
  /** The stack, with the front in place of its API. */
  readonly stack: RealStack;
  readonly front: Front;
  /** Addresses that clients reach: the APIs, and the proxy where there is one. */
  readonly addresses: readonly string[];
  readonly market: DeskMarket;
  readonly next: Release;
  readonly claims: OpenClaim[];
  readonly steps: Step[];
  readonly database: OwnDatabase;
  /** Where the database's standby is, if the drill is to lose the primary. */
  readonly standbyUrl: string | undefined;
  readonly witnessed: Witnessed[];
}

/**
 * Takes a stack whose worker is release `n` to two APIs and two workers, behind a proxy and a PgBouncer where there are such, and
 * from n to n+1 and back while clients launch, claim, slow clients hold connections, and rounds run; then waits until all is over and has every launch judged from the chain.
 */
export async function rehearse(real: RealStack, options: DrillOptions): Promise<DrillReport> {
  const root = mkdtempSync(join(tmpdir(), 'slipway-next-'));
  const database = ownDatabase(real.db);
  try {
    await layOutNextRelease(root, options);
    const ground = await makeFixture(real, database, options.killed, { root, buildId: 'n-plus-1' });
    const endSlowClients = slowClients(ground.addresses);
    const load = startLoad(ground.stack, options.clients);
    await play(ground, options).finally(endSlowClients);
    const launches = await load.stop();
    await comeToRest(ground);
    return await reportOf(ground, launches);
  } finally {
    await database.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function makeFixture(
  real: RealStack,
  database: OwnDatabase,
  killed: readonly string[],
  next: Release,
): Promise<Fixture> {
  const standbyUrl = killed.includes(PRIMARY) ? await addStandby(real) : undefined;
  if (BETWEEN.includes('pgbouncer')) await putBouncerBefore(real, ['api', 'worker']);
  await makeCurrent(real, THIS);
  const [second] = await Promise.all([addApi(real, 'api-2', THIS), addWorker(real, 'worker-2', THIS)]);
  const siteUrls = [real.stack.siteUrl, second];
  const proxies = BETWEEN.includes('proxy') ? [await addProxy(real, siteUrls)] : [];
  const front = createFront(proxies.length > 0 ? proxies : siteUrls);
  const stack: RealStack = {
    ...real,
    api: front.api,
    get db() {
      return database.db;
    },
  };
  const market = await openDeskMarket(stack, 'USDL', { funds: '1000000' });
  const addresses = [...siteUrls, ...proxies];
  return { stack, front, addresses, market, next, database, standbyUrl, claims: [], steps: [], witnessed: [] };
}

async function putBouncerBefore(real: RealStack, parts: readonly string[]): Promise<void> {
  const databaseUrl = await addBouncer(real);
  await Promise.all(parts.map((part) => restartWith(real, part, { DATABASE_URL: databaseUrl })));
}

async function play(ground: Fixture, { killed, holdMs, movesQueue }: DrillOptions): Promise<void> {
  const { stack, next } = ground;
  for (const part of killed) await step(ground, `kill -9 of ${part}`, () => kill(ground, part));
  await step(ground, 'migration of n+1', () => migrate(stack, next));
  await step(ground, 'workers of n+1', async () => {
    await addWorker(stack, 'worker-next', next);
    await makeCurrent(stack, next, movesQueue);
  });
  await step(ground, 'APIs of n+1', () => replaceApis(ground, next));
  await sleep(holdMs);
  await step(ground, 'workers back to n', () => makeCurrent(stack, THIS, movesQueue));
  await step(ground, 'APIs back to n', () => replaceApis(ground, THIS));
  await sleep(holdMs);
}

async function kill({ stack, standbyUrl, database, witnessed }: Fixture, part: string): Promise<void> {
  if (part !== PRIMARY || standbyUrl === undefined) return stack.kill(part);
  witnessed.push(await failOver(stack, standbyUrl));
  database.moveTo(standbyUrl);
}

/** One after the other: the other one answers meanwhile. */
async function replaceApis({ stack }: Fixture, release: Release): Promise<void> {
  for (const name of ['api', 'api-2']) await replaceApi(stack, name, release);
}

/** A step begins with a claim under way, and launches in whatever state they are. */
async function step({ stack, market, claims, steps }: Fixture, name: string, act: () => Promise<void>): Promise<void> {
  // A creator has one claim under way at a time.
  await claims.at(-1)?.answered;
  claims.push(await beginClaim(stack, market));
  const [open, began] = [await openLaunches(stack), Date.now()];
  await act();
  steps.push({ step: name, open, ms: Date.now() - began });
}

/** Nothing is open on n+1 in the end: its workers go, and n goes on without them. */
async function comeToRest({ stack, next }: Fixture): Promise<void> {
  await stack.control('setSlotMs', { slotMs: FAST_SLOT_MS });
  await untilNoLaunchIsOpen(stack);
  await untilDrained(stack, next);
  await stack.stack.end('worker-next');
}

async function reportOf(ground: Fixture, launches: readonly FollowedLaunch[]): Promise<DrillReport> {
  const { stack, front, market, steps, claims, witnessed } = ground;
  const verdicts = await Promise.all(launches.map((launch) => judged(stack, launch)));
  const changed = await Promise.all(launches.map(({ prepared }) => ranChanged(stack, prepared.quoteId)));
  const ofClaims = await endOfClaims(stack, market, claims);
  const judgedQuotes = verdicts.map((verdict, index) => ({
    quoteId: launches[index]?.prepared.quoteId ?? '',
    verdict,
  }));
  const ends = judgedQuotes.map(({ quoteId, verdict: { outcome } }) => ({ quoteId, outcome }));
  const seen: Seen = {
    launches: judgedQuotes,
    answers: front.answers(),
    refusals: front.refusals(),
    open: await openLaunches(stack),
    others: [
      ...ofClaims.problems,
      ...(await forgottenLaunches(stack, ends)),
      ...(await brokenWorkflows(stack)),
      ...(await untakenActivities(stack)),
      ...(await retryingWorkflows(stack)),
      ...(await marketIndexProblems(stack)),
      ...witnessed.flatMap(failoverProblems),
    ],
  };
  return {
    steps,
    launches: launches.length,
    outcomes: countOf(verdicts.map(({ outcome }) => outcome)),
    onNext: changed.filter(Boolean).length,
    claims: ofClaims.ended,
    commits: witnessed.reduce((sum, { confirmed }) => sum + confirmed, 0),
    failoverMs: witnessed.map(({ ms }) => ms),
    answers: seen.answers,
    refusals: seen.refusals,
    retries: front.retries(),
    problems: problemsOf(seen),
  };
}

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadKeys } from '../../../dev/stack/keys.ts';
import { type AlarmName, ALARMS } from '../../../domain/alarms/alarms.ts';
import { prepareClaim, submitClaim, untilClaim } from '../../support/claim/claimant.ts';
import { openDeskMarket } from '../../support/claim/desk-market.ts';
import { firingOf, only, type Scrape } from '../../support/deploy/scrape.ts';
import { type KmsServer, startKmsServer } from '../../support/kms-server.ts';
import { onPath } from '../../support/on-path.ts';
import { createCreator, type Creator } from '../../support/platform/creator.ts';
import { eventually } from '../../support/platform/eventually.ts';
import { type RealStack, startRealStack } from '../chaos/processes/real-stack.ts';
import { startThinMarket, type ThinMarket } from '../mixed/thin-market.ts';
import { alertsOf, restartedWith, scrapeAll } from './watched-parts.ts';

/** As many as an alarm needs to be sure. */
const LAUNCHES = 3;

/** More than the submits of the other drills, which were taken in within the same five minutes. */
const LATE_QUOTES_EACH = 4;

const SLOTS_TO_FINALIZE = 32;

/** Told where quotes come too late. */
const LAGS = /the endpoint that lags out of SOLANA_RPC_URL, or set the clock/;

/** Between two looks the worker proves what is dead. */
const EXPIRE_EVERY_MS = 2_000;

let market: ThinMarket;
let stack: RealStack;
let kms: KmsServer;
let signsAfter: () => Promise<unknown> = () => Promise.resolve();

beforeAll(async () => {
  market = await startThinMarket(false);
  stack = await startRealStack({ ...market.variables, SUBMIT_WAIT_SECONDS: '1' }, { endpoints: market.endpoints });
  await market.openOn(stack);
  const { PLATFORM_SECRET_KEY: secret } = loadKeys(stack.layout.keysFile, {});
  const keypair = Keypair.fromSecretKey(bs58.decode(secret));
  kms = await startKmsServer({ 'alias/platform': { keypair, before: () => signsAfter() } });
});
afterAll(async () => {
  await stack.close();
  await market.close();
  await kms.close();
});

const promtool = onPath('promtool');

async function engine(fault: object): Promise<void> {
  const url = stack.stack.specOf('api')?.env['BLOCK_ENGINE_ADMIN_URL'] ?? '';
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/fault`, { method: 'POST', headers, body: JSON.stringify(fault) });
  expect(response.status).toBe(200);
}

/** Nothing that was signed so far can land any more. */
const letAllExpire = () => stack.control('advanceSlots', { count: 222 });

/** Dates what was asked for before out of every window. */
async function forgetEarlier(): Promise<void> {
  await sql`update launches set submitted_at = submitted_at - interval '1 day'`.execute(stack.db);
  await sql`update late_quotes set refused_at = refused_at - interval '1 hour'`.execute(stack.db);
}

async function creators(): Promise<Creator[]> {
  await forgetEarlier();
  return Promise.all(Array.from({ length: LAUNCHES }, () => createCreator(stack)));
}

async function statesOf(): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from launches where submitted_at > now() - interval '1 hour'`.execute(stack.db);
  return rows.map(({ state }) => state);
}

/** Lets the chain go on until every launch has ended without having landed. */
async function expectNoneLanded(): Promise<void> {
  await eventually(async () => {
    const states = await statesOf();
    if (states.length === LAUNCHES && states.every((state) => state === 'not_landed')) return true;
    await letAllExpire();
    await sleep(EXPIRE_EVERY_MS);
    return null;
  }, 'the end of launches that never land');
}

/** Expects the alarm on the pages, by promtool where it is on PATH, and in `ops status` with its command. */
async function expectTold(name: AlarmName, remedy = /^npm run ops -- /): Promise<void> {
  const line = await eventually(
    async () => (await alertsOf(stack)).find(({ alert }) => alert === name) ?? null,
    `a line of ops status for ${name}`,
  );
  expect(line.remedy).toMatch(remedy);
  if (promtool === undefined) return;
  const figures = await eventually(async () => {
    const scraped = await scrapeAll(stack);
    const firing = await firingOf(promtool, promisesOf(scraped), [name]);
    return firing.length > 0 ? firing : null;
  }, `${name} by promtool`);
  expect([figures, ALARMS[name].severity]).toEqual([[name], 'page']);
}

/** Lets the launches of this drill be under way for two minutes. */
async function expectOverdue(): Promise<void> {
  await sql`update launches set submitted_at = submitted_at - interval '130 seconds'
    where state in ('received', 'preparing', 'landing') and submitted_at > now() - interval '1 hour'`.execute(stack.db);
  await expectTold('SlipwayLaunchesOverdue');
}

const promisesOf = (scraped: Scrape) => only(['slipway_promises', 'up'], scraped);

describe('everything answers and nothing succeeds: a page says so, and `ops status` has a line with a command', () => {
  it('no promise is said to be broken while launches land', async () => {
    const [creator] = await creators();
    await creator?.launchToEnd();
    const broken = (await alertsOf(stack)).filter(({ alert }) => /NotKept|Overdue|FilesLost/.test(alert));
    expect(broken).toEqual([]);
  });

  it('the store took the files of a launch and lost them', async () => {
    const directory = stack.stack.specOf('worker')?.env['STORE_DIR'] ?? '';
    for (const file of readdirSync(directory).filter((name) => name.endsWith('.json'))) rmSync(join(directory, file));
    await expectTold('SlipwayFilesLost', /^put the files back into STORE_DIR/);
  });

  it('the engine takes every bundle and lands none', async () => {
    const asked = await creators();
    await engine({ fault: 'drop' });
    await Promise.all(asked.map((creator) => creator.launch()));
    await expectOverdue();
    await expectNoneLanded();
    await engine({ fault: 'none' });
    await expectTold('SlipwayLaunchesNotKept', /TIP_MAX_LAMPORTS, or name another region in BLOCK_ENGINE_URL/);
  });

  it('tips are too low for the hour', async () => {
    const asked = await creators();
    await engine({ fault: 'drop', leastTipLamports: 100_000_000 });
    await Promise.all(asked.map((creator) => creator.launch()));
    await expectNoneLanded();
    await engine({ fault: 'none' });
    await expectTold('SlipwayLaunchesNotKept', /TIP_MAX_LAMPORTS, or name another region in BLOCK_ENGINE_URL/);
  });

  it('every endpoint lags: a blockhash is dead when it is handed out', async () => {
    const asked = await creators();
    // Else no endpoint would ever show what the creators were given.
    await stack.control('advanceSlots', { count: SLOTS_TO_FINALIZE });
    await stack.control('stale', {});
    try {
      await letAllExpire();
      await Promise.all(asked.map((creator) => creator.launch()));
      await expectOverdue();
    } finally {
      await stack.control('clear', {});
    }
    await expectNoneLanded();
  });

  it('creators sign so late that their quotes have expired', async () => {
    const asked = await creators();
    const quoted = await Promise.all(
      asked.flatMap((creator) =>
        Array.from({ length: LATE_QUOTES_EACH }, async () => ({ creator, prepared: await creator.prepare() })),
      ),
    );
    await letAllExpire();
    for (const { creator, prepared } of quoted) {
      expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 503, charged: false });
    }
    await expectTold('SlipwaySubmitsNotKept');
    await sql`update late_quotes set client = gen_random_uuid()::text`.execute(stack.db);
    await expectTold('SlipwayLaunchesNotKept', LAGS);
  });

  // Launches are signed by keys that the worker derives; claims need the platform's key as well.
  it('the signer signs late: claims wait for it', async () => {
    const market = await openDeskMarket(stack, 'USDL', { funds: '1000' });
    await market.trade('buy', '25.5');
    const late = Promise.withResolvers<void>();
    const ofAws = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    const own = { PLATFORM_SIGNER: 'aws-kms:alias/platform', PLATFORM_SECRET_KEY: '', AWS_ENDPOINT_URL_KMS: kms.url };
    const undo = await restartedWith(stack, 'worker', { ...ofAws, ...own });
    const claim = await eventually(
      // The worker that was restarted makes the claims' account first.
      () => prepareClaim(stack, market.mint, market.creator.keypair).catch(() => null),
      'a claim that can be prepared',
    );
    signsAfter = () => late.promise;
    const answered = submitClaim(stack, claim, market.creator.keypair);
    await untilClaim(stack, claim.intentId, 'submitted');
    await sql`update claim_intents set issued_at = issued_at - interval '160 seconds',
      submitted_at = submitted_at - interval '160 seconds' where intent_id = ${claim.intentId}`.execute(stack.db);
    await expectTold('SlipwayClaimsOverdue');
    signsAfter = () => Promise.resolve();
    late.resolve();
    await answered;
    await undo();
  });

  it('prices never become steady: dev buys get no quote', async () => {
    const asked = await creators();
    await sql`delete from price_observations`.execute(stack.db);
    const prepare = async (creator: Creator) => (await creator.tryPrepare({ devBuyPercent: 1 })).http;
    await eventually(async () => {
      const answers = await Promise.all(asked.map(prepare));
      expect(answers).not.toContain(500);
      return (await alertsOf(stack)).some(({ alert }) => alert === 'SlipwayPreparesNotKept') || null;
    }, 'prepares that find no steady price');
    await expectTold('SlipwayPreparesNotKept');
  });
});

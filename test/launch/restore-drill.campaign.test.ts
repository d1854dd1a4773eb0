import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileTransaction } from '../../chain/transactions/compile.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import * as findings from '../../db/money/findings.ts';
import * as launches from '../../db/launch/launches.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as switches from '../../db/platform/switches.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import * as prices from '../../db/prices/prices.ts';
import { BUYBACK_KINDS, buybackBurnPurpose, buybackId, buybackSwapPurpose } from '../../domain/buyback/buyback.ts';
import { landedMovements } from '../support/lanes/landed.ts';
import { LAUNCH_JANITOR_ROUND, LAUNCH_WALLETS_ROUND } from '../../workflows/launch/messages.ts';
import { RECONCILE_ROUND } from '../../workflows/money/messages.ts';
import { expectBooksMatch } from '../support/reward/books.ts';
import {
  type HeldMarket,
  launchHeldMarket,
  QUICK_ROUNDS,
  type RewardFixture,
  rewardsOn,
} from '../support/reward/reward-platform.ts';
import { accountsOf, AIRDROP, type Held, untilDelivered } from '../support/airdrop/airdrop-platform.ts';
import { type BuybackFixture, startBuybackFixture } from '../support/buyback/buyback-platform.ts';
import { accountOf, confirmed } from '../support/claim/claim-market.ts';
import { prepareClaim, submitClaim } from '../support/claim/claimant.ts';
import { backUp } from '../support/db/whole-backup.ts';
import type { FeeMarket } from '../support/fee-sweep/fee-sweep-platform.ts';
import { ops } from '../support/ops/ops-run.ts';
import { landedMemos } from '../support/platform/chain-facts.ts';
import { createCreator, type Creator, signatureIn, type SubmittedLaunch } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import type { Platform } from '../support/platform/platform.ts';
import { runRound } from '../support/platform/run-round.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { untilState } from '../support/platform/until-state.ts';

/** A quote token that becomes three times as dear after the restore. */
const DEARER = SEED_PAIRS.find(({ symbol }) => symbol === 'LBIT')!;

let ground: BuybackFixture;
let rewards: RewardFixture;
let coin: HeldMarket;
let platform: Platform;
let kept: FeeMarket;
let directory: string;
beforeAll(async () => {
  // A repeated submit of a launch whose run has ended waits for nothing.
  ground = await startBuybackFixture({ ...QUICK_ROUNDS, SUBMIT_WAIT_SECONDS: '5' });
  ({ platform } = ground);
  rewards = rewardsOn(platform);
  directory = await mkdtemp(join(tmpdir(), 'slipway-drill-'));
  await switches.set(platform.db, 'airdrops', 'on', { actor: 'test' });
  // As a worker does when it starts.
  const wallets = (['treasury', 'platform', 'rewards'] as const).map((role) => {
    return { role, address: ground.wallets[role].toBase58() };
  });
  await walletManifest.noteOwn(platform.db, wallets, BigInt(await platform.connection.getSlot('finalized')));
  kept = await ground.open({ mode: 'standard', feeTier: '1%' });
  await ground.earn(kept, 5_000_000_000n);
  coin = await launchHeldMarket(rewards);
  await rewards.settle(coin.market);
});
afterAll(async () => {
  await ground.close();
  await rm(directory, { recursive: true, force: true });
});

/** A launch after the backup, and what its creator had before and after it. */
interface Lost extends SubmittedLaunch {
  readonly creator: Creator;
  readonly balance: number;
  readonly signature: string;
}

async function launched(changes: object): Promise<Lost> {
  const creator = await createCreator(platform, 20);
  const launch = await creator.launchToEnd(changes);
  await untilState(platform, launch.prepared, 'finalized');
  const signature = signatureIn(launch.submission.signedTransaction);
  return { ...launch, creator, signature, balance: await creator.balance() };
}

/** What the last comparison found, whole, for the message of a failure. */
let lastFound: readonly string[] = [];

/** What differs, as kind and subject. */
async function found(): Promise<string[]> {
  await runRound(platform, RECONCILE_ROUND);
  const standing = await findings.all(platform.db);
  lastFound = standing.map((one) => Object.values(one).join(' '));
  return standing.map(({ kind, subject }) => `${kind} ${subject}`);
}

let commands = 0;
/** Runs a command as an operator does; it must end with this status. */
async function command(words: readonly string[], status = 0) {
  commands++;
  const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = platform.variables;
  const env = { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, API_URLS: await apiUrl() };
  const run = await ops(env as Record<string, string>, [...words, '--note', 'drill']);
  expect(run, `ops ${words.join(' ')}`).toMatchObject({ status });
  return run;
}

async function apiUrl(): Promise<string> {
  const address = platform.api.server.address();
  if (address === null) return platform.api.listen({ port: 0, host: '127.0.0.1' });
  return typeof address === 'string' ? address : `http://127.0.0.1:${address.port}`;
}

/** A stranger names the platform wallet and a launch's fourth step. */
async function imitate(quoteId: string): Promise<void> {
  const { keypair: stranger } = await createCreator(platform);
  const transfer = SystemProgram.transfer({
    fromPubkey: stranger.publicKey,
    toPubkey: stranger.publicKey,
    lamports: 1,
  });
  const pubkey = ground.wallets.platform;
  transfer.keys.push({ pubkey, isSigner: false, isWritable: false });
  const { blockhash } = await platform.connection.getLatestBlockhash();
  const instructions = [transfer, memoInstruction(`launch/${quoteId}/4`)];
  const plan = { payer: stranger.publicKey, instructions, computeUnits: 50_000, computeUnitPrice: 0n, blockhash };
  const transaction = compileTransaction(plan);
  transaction.sign([stranger]);
  await confirmed(platform, await platform.connection.sendRawTransaction(transaction.serialize()));
}

/** The booked USD price of the quote token at each trade of a token. */
async function pricedTrades({ prepared }: SubmittedLaunch): Promise<(string | null)[]> {
  const swaps = platform.db.selectFrom('swaps').select('quoteUsd').where('mint', '=', prepared.mint);
  return (await swaps.orderBy('slot').execute()).map(({ quoteUsd }) => quoteUsd);
}

/** Makes a quote token dearer from now on. */
async function makeDearer(mint: string): Promise<void> {
  const { usd } = (await prices.latest(platform.db, mint))!;
  const dearer = new BigNumber(usd).times(3).toFixed();
  await prices.record(platform.db, [{ mint, usd: dearer, source: 'fixed', observedAt: new Date() }]);
}

/** The movements of purchases that the chain has, oldest first. */
async function purchases(): Promise<string[]> {
  const ids = BUYBACK_KINDS.flatMap((kind) => [1, 2, 3].map((number) => buybackId(kind, kept.mint, number)));
  const purposes = ids.flatMap((id) => [buybackSwapPurpose(id), buybackBurnPurpose(id, 1)]);
  return landedMovements(platform, accountOf(kept.base, ground.wallets.treasury), purposes);
}

async function dropTerms(quoteId: string): Promise<void> {
  const folder = String(platform.variables['STORE_DIR']);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.json') && (await readFile(path, 'utf8')).includes(`"quoteId":"${quoteId}"`)) await rm(path);
  }
}

describe('the restore of an older backup, as the runbook has it', () => {
  let restore: () => Promise<void>;
  let unsealed: Lost;
  let emptied: Lost;
  let shared: Lost;
  let storeless: Lost;
  let forgotten: Lost;
  /** Launches that come back; `forgotten` has neither terms nor a submission. */
  let all: Lost[];
  let paid: Awaited<ReturnType<typeof submitClaim>>;
  let bought: string[];
  let lostRound: string;
  /** The sealed document of the lost round, as a reader has kept it. */
  let plan: string;
  let delivered: Held[][];
  let wasOf: Map<Lost, unknown>;
  let priced: (string | null)[];

  beforeAll(async () => {
    const held = platform.gate.hold('deliverAirdrop');
    unsealed = await launched(AIRDROP);
    await held.reached;
    restore = await backUp(platform.db);
    held.release();

    const friend = Keypair.generate().publicKey.toBase58();
    const links = { website: 'https://example.com/harbour', twitter: '@harbour' };
    const dearer = { quoteMint: DEARER.mint.toBase58(), devBuySol: 0.2 };
    [emptied, shared, storeless, forgotten] = await Promise.all([
      launched({ feeTier: '2%', feeRecipient: friend, ...links, ...dearer }),
      launched(AIRDROP),
      launched({ name: 'Lost Terms' }),
      launched({ name: 'Lost Letters' }),
    ]);
    for (const one of [unsealed, shared]) await untilDelivered(platform, one.prepared);
    const { quoteId } = emptied.prepared;
    await eventually(async () => {
      await runRound(platform, LAUNCH_WALLETS_ROUND);
      return (await launches.byQuoteId(platform.db, quoteId))?.emptiedAt ?? null;
    }, 'an emptied launch wallet');
    const claim = await prepareClaim(platform, kept.mint, kept.creator.keypair);
    paid = await submitClaim(platform, claim, kept.creator.keypair);
    expect(paid).toMatchObject({ http: 200 });
    await ground.untilIndexed(kept);
    expect(await ground.buyBack()).toBeGreaterThan(0);
    bought = await purchases();
    expect(bought).not.toEqual([]);
    const { id, sealedRoot } = await rewards.round(coin.market);
    lostRound = id;
    plan = (await platform.api.inject(`/documents/${sealedRoot}`)).body;
    await expectBooksMatch(rewards, coin.market, coin.held);
    for (const one of [storeless, forgotten]) await dropTerms(one.prepared.quoteId);
    all = [emptied, shared, storeless];
    delivered = await Promise.all([unsealed, shared].map(({ prepared }) => accountsOf(platform, prepared.mint)));
    wasOf = new Map(await Promise.all(all.map(async (one) => [one, await factsOf(one)] as const)));
    priced = await pricedTrades(emptied);
    expect(priced).not.toEqual([]);
  });

  it('leaves nothing unknown that was paid, charges nobody twice, and takes at most eight commands', async () => {
    await platform.worker.stop();
    await restore();
    await makeDearer(DEARER.mint.toBase58());
    await imitate(randomUUID());
    await imitate(emptied.prepared.quoteId);
    await command(['addresses', 'discard-free', '--yes']);
    await command(['events', 'renew', '--yes']);
    await command(['switches', 'set', 'launching', 'off']);
    await platform.worker.start();

    platform.chain.control.loseHistory(await platform.connection.getSlot('finalized'));
    expect(await found()).toContain(`not-compared history/${addressOf(platform.secrets.PLATFORM_SECRET_KEY)}`);
    platform.chain.control.clear();
    const differing = await found();
    const launchFindings = [...all, forgotten].map(({ prepared }) => `launch-unknown launch/${prepared.quoteId}`);
    expect(differing.filter((one) => one.startsWith('launch-unknown')).toSorted()).toEqual(launchFindings.toSorted());
    expect(differing).toContain(`claim-unknown claim/${paid.data?.signature}`);
    for (const one of [...all, forgotten]) await expectUnknown(one);

    const adopted = await command(['launches', 'adopt', '--json'], 1);
    const left = [storeless, forgotten].map((one) => {
      return { subject: `launch/${one.prepared.quoteId}`, payment: one.signature };
    });
    const report = JSON.parse(adopted.printed) as { adopted: string[]; left: { subject: string }[] };
    expect(report.adopted).toHaveLength(2);
    expect(report.left.toSorted(bySubject)).toMatchObject(left.toSorted(bySubject));
    expect(adopted.printed).toContain('are not in the permanent store');
    const file = join(directory, 'submission.json');
    await writeFile(file, JSON.stringify(storeless.submission));
    await command(['launches', 'adopt', '--submission', file, '--json']);
    const planFile = join(directory, 'round.txt');
    await writeFile(planFile, plan);
    // A round takes in the seal, which the chain has, before it asks for the plan.
    await rewards.plan();
    expect(await found()).toContain(`plan-unknown reward/${lostRound}`);
    await command(['rewards', 'restore-plan', planFile]);
    // Plans and closings wait until what the ledger may have forgotten can no longer land.
    platform.chain.control.advanceSlots(400);

    for (const { prepared } of all) await untilState(platform, prepared, 'finalized');
    // The janitor starts workflows again for launches that the backup has and no workflow runs.
    await runRound(platform, LAUNCH_JANITOR_ROUND);
    for (const one of [unsealed, shared]) await untilDelivered(platform, one.prepared);
    await eventually(async () => {
      await runRound(platform, LAUNCH_WALLETS_ROUND);
      const rows = await Promise.all(all.map(({ prepared }) => launches.byQuoteId(platform.db, prepared.quoteId)));
      return rows.every((row) => row?.emptiedAt) || null;
    }, 'emptied launch wallets');
    await command(['switches', 'set', 'launching', 'on']);

    for (const one of all) {
      const { prepared, creator, balance } = one;
      expect(await creator.balance()).toBe(balance);
      expect(await landedMemos(platform, prepared)).toEqual([1, 2, 3, 4].map((n) => `launch/${prepared.quoteId}/${n}`));
      expect(await factsOf(one)).toEqual(wasOf.get(one));
    }
    for (const [index, one] of [unsealed, shared].entries())
      expect(await accountsOf(platform, one.prepared.mint)).toEqual(delivered[index]);
    // Never by the price of today, which is three times as high.
    await eventually(async () => ((await pricedTrades(emptied)).length === priced.length ? true : null), 'the trades');
    for (const [index, usd] of (await pricedTrades(emptied)).entries()) expect([null, priced[index]]).toContain(usd);

    await eventually(async () => {
      await rewards.plan();
      const rounds = platform.db.selectFrom('rewardRounds').select('state').where('mint', '=', coin.market.mint);
      const states = (await rounds.execute()).map(({ state }) => state);
      return states.length > 0 && states.every((state) => state === 'done') ? true : null;
    }, 'the rewards of the lost time in the books');
    const ended = await platform.db
      .selectFrom('rewardRounds')
      .selectAll()
      .where('mint', '=', coin.market.mint)
      .execute();
    expect(ended.filter(({ note, sealedRoot: root }) => note !== null || root === null)).toEqual([]);
    await expectBooksMatch(rewards, coin.market, coin.held);
    await ground.untilIndexed(kept);
    await ground.buyBack();
    const boughtNow = await purchases();
    expect(boughtNow.slice(0, bought.length)).toEqual(bought);
    expect(new Set(boughtNow).size).toBe(boughtNow.length);

    // Nothing is guessed of a launch without terms and without its submission.
    await expectUnknown(forgotten);
    const unguessed = `launch-unknown launch/${forgotten.prepared.quoteId}`;
    expect((await found()).toSorted()).toEqual([`claim-unknown claim/${paid.data?.signature}`, unguessed]);
    const lastFoundAt = await platform.connection.getSlot('finalized');
    // A closing waits until what the ledger may have forgotten can no longer land.
    platform.chain.control.advanceSlots(400);
    await eventually(async () => (await platform.connection.getSlot('finalized')) > lastFoundAt + 370 || null);
    await command(['books', 'close', `claim/${paid.data?.signature}`, '--yes']);
    expect(await found()).toEqual([unguessed]);
    expect(commands).toBeLessThanOrEqual(8);
  });
});

const bySubject = (a: { readonly subject: string }, b: { readonly subject: string }) =>
  a.subject.localeCompare(b.subject);

/** Anyone who asks for the payment of a launch that the database lacks gets 409. */
async function expectUnknown({ creator, signature }: Lost): Promise<void> {
  expect(await creator.status(signature), lastFound.join('\n')).toMatchObject({
    http: 409,
    error: { code: 'conflict', retryable: false },
    paymentSignature: signature,
  });
}

/** What the API answers of a launch, without what the second recording dates. */
async function factsOf({ prepared, creator, signature }: Lost): Promise<unknown> {
  const status = await platform.api.inject(`/api/public/v1/launches/${signature}`);
  const token = await platform.api.inject(`/api/public/v1/tokens/${prepared.mint}`);
  expect([status.statusCode, token.statusCode], await creator.status(signature).then(JSON.stringify)).toEqual([
    200, 200,
  ]);
  const { data } = status.json<{ data: Record<string, unknown> }>();
  const { token: shown } = token.json<{ data: { token: Record<string, unknown> } }>().data;
  const FIELDS = ['name', 'symbol', 'logoUrl', 'links', 'creator', 'mint', 'pool', 'airdrop'];
  return { ...data, states: undefined, token: FIELDS.map((field) => shown[field]) };
}

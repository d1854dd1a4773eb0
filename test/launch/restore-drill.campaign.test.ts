import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileTransaction } from '../../chain/transactions/compile.ts';
import { memoInstruction } from '../../chain/transactions/memo.ts';
import * as findings from '../../db/money/findings.ts';
import * as launches from '../../db/launch/launches.ts';
import * as walletManifest from '../../db/platform/wallet-manifest.ts';
import * as switches from '../../db/platform/switches.ts';
import { LAUNCH_WALLETS_ROUND } from '../../workflows/launch/messages.ts';
import { RECONCILE_ROUND } from '../../workflows/money/messages.ts';
import { accountsOf, AIRDROP, untilDelivered } from '../support/airdrop/airdrop-platform.ts';
import { confirmed } from '../support/claim/claim-market.ts';
import { prepareClaim, submitClaim } from '../support/claim/claimant.ts';
import { backUp } from '../support/db/whole-backup.ts';
import { type FeeFixture, type FeeMarket, startFeeFixture } from '../support/fee-sweep/fee-sweep-platform.ts';
import { ops } from '../support/ops/ops-run.ts';
import { landedMemos } from '../support/platform/chain-facts.ts';
import { createCreator, type Creator, signatureIn, type SubmittedLaunch } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import type { Platform } from '../support/platform/platform.ts';
import { runRound } from '../support/platform/run-round.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { untilState } from '../support/platform/until-state.ts';

let ground: FeeFixture;
let platform: Platform;
let kept: FeeMarket;
let directory: string;
beforeAll(async () => {
  // A repeated submit of a launch whose run has ended waits for nothing.
  ground = await startFeeFixture({ SUBMIT_WAIT_SECONDS: '5' });
  ({ platform } = ground);
  directory = await mkdtemp(join(tmpdir(), 'slipway-drill-'));
  await switches.set(platform.db, 'airdrops', 'on', { actor: 'test' });
  // As a worker does when it starts.
  const wallets = (['treasury', 'platform', 'rewards'] as const).map((role) => {
    return { role, address: ground.wallets[role].toBase58() };
  });
  await walletManifest.noteOwn(platform.db, wallets, BigInt(await platform.connection.getSlot('finalized')));
  kept = await ground.open({ mode: 'standard', feeTier: '1%' });
  await kept.tradeSeen('buy', 5_000_000_000n);
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
async function command(...words: string[]) {
  commands++;
  const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = platform.variables;
  const env = { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, API_URLS: await apiUrl() };
  return ops(env as Record<string, string>, words);
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

async function dropTerms(quoteId: string): Promise<void> {
  const folder = String(platform.variables['STORE_DIR']);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.json') && (await readFile(path, 'utf8')).includes(`"quoteId":"${quoteId}"`)) await rm(path);
  }
}

describe('the restore of an older backup, as the runbook has it', () => {
  it('leaves nothing unknown that was paid, charges nobody twice, and takes at most eight commands', async () => {
    const restore = await backUp(platform.db);

    const friend = Keypair.generate().publicKey.toBase58();
    const links = { website: 'https://example.com/harbour', twitter: '@harbour' };
    const emptied = await launched({ feeTier: '2%', ...links });
    const withFriend = await launched({ feeRecipient: friend });
    const shared = await launched(AIRDROP);
    const storeless = await launched({ name: 'Lost Terms' });
    await untilDelivered(platform, shared.prepared);
    await eventually(async () => {
      await runRound(platform, LAUNCH_WALLETS_ROUND);
      return (await launches.byQuoteId(platform.db, emptied.prepared.quoteId))?.emptiedAt ?? null;
    }, 'an emptied launch wallet');
    const claim = await prepareClaim(platform, kept.mint, kept.creator.keypair);
    const paid = await submitClaim(platform, claim, kept.creator.keypair);
    expect(paid).toMatchObject({ http: 200 });
    await dropTerms(storeless.prepared.quoteId);
    const all = [emptied, withFriend, shared, storeless];
    const delivered = await accountsOf(platform, shared.prepared.mint);
    const wasOf = new Map(await Promise.all(all.map(async (one) => [one, await factsOf(one)] as const)));

    await platform.worker.stop();
    await restore();
    await imitate(randomUUID());
    await imitate(emptied.prepared.quoteId);
    expect(await command('addresses', 'discard-free', '--note', 'drill', '--yes')).toMatchObject({ status: 0 });
    expect(await command('events', 'renew', '--note', 'drill', '--yes')).toMatchObject({ status: 0 });
    await command('switches', 'set', 'launching', 'off', '--note', 'drill');
    await platform.worker.start();

    platform.chain.control.loseHistory(await platform.connection.getSlot('finalized'));
    expect(await found()).toContain(`not-compared history/${addressOf(platform.secrets.PLATFORM_SECRET_KEY)}`);
    platform.chain.control.clear();
    const differing = await found();
    const launchFindings = all.map(({ prepared }) => `launch-unknown launch/${prepared.quoteId}`);
    expect(differing.filter((one) => one.startsWith('launch-unknown')).toSorted()).toEqual(launchFindings.toSorted());
    expect(differing).toContain(`claim-unknown claim/${paid.data?.signature}`);
    for (const { creator, signature } of all) {
      expect(await creator.status(signature), lastFound.join('\n')).toMatchObject({
        http: 409,
        error: { code: 'conflict', retryable: false },
        paymentSignature: signature,
      });
    }

    const adopted = await command('launches', 'adopt', '--note', 'drill', '--json');
    const left = [{ subject: `launch/${storeless.prepared.quoteId}`, payment: storeless.signature }];
    expect(adopted).toMatchObject({ status: 1 });
    expect(JSON.parse(adopted.printed)).toMatchObject({ adopted: { length: 3 }, left });
    expect(adopted.printed).toContain('are not in the permanent store');
    const file = join(directory, 'submission.json');
    await writeFile(file, JSON.stringify(storeless.submission));
    const repeated = await command('launches', 'adopt', '--submission', file, '--note', 'drill', '--json');
    expect(repeated).toMatchObject({ status: 0 });

    for (const { prepared } of all) await untilState(platform, prepared, 'finalized');
    await untilDelivered(platform, shared.prepared);
    await eventually(async () => {
      await runRound(platform, LAUNCH_WALLETS_ROUND);
      const rows = await Promise.all(all.map(({ prepared }) => launches.byQuoteId(platform.db, prepared.quoteId)));
      return rows.every((row) => row?.emptiedAt) || null;
    }, 'emptied launch wallets');
    await command('switches', 'set', 'launching', 'on', '--note', 'drill');

    for (const one of all) {
      const { prepared, creator, balance } = one;
      expect(await creator.balance()).toBe(balance);
      expect(await landedMemos(platform, prepared)).toEqual([1, 2, 3, 4].map((n) => `launch/${prepared.quoteId}/${n}`));
      expect(await factsOf(one)).toEqual(wasOf.get(one));
    }
    expect(await accountsOf(platform, shared.prepared.mint)).toEqual(delivered);
    expect(await found()).toEqual([`claim-unknown claim/${paid.data?.signature}`]);
    const lastFoundAt = await platform.connection.getSlot('finalized');
    // A closing waits until what the ledger may have forgotten can no longer land.
    platform.chain.control.advanceSlots(400);
    await eventually(async () => (await platform.connection.getSlot('finalized')) > lastFoundAt + 370 || null);
    const closed = await command('books', 'close', `claim/${paid.data?.signature}`, '--note', 'drill', '--yes');
    expect(closed).toMatchObject({ status: 0 });
    expect(await found()).toEqual([]);
    expect(commands).toBeLessThanOrEqual(8);
  });
});

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

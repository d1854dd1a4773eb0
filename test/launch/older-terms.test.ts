import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compactDecrypt } from 'jose';
import { sql } from 'kysely';
import { Keypair } from '@solana/web3.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReleases } from '../../dev/house/releases.ts';
import { SEED_PAIRS } from '../../dev/seed/local-pairs.ts';
import { hasCommit, layOutCommit } from '../campaigns/drill/older-release.ts';
import { quoteKeysOf } from '../support/launch/alterations/quote-alterations.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';

const run = promisify(execFile);

const PROJECT = join(import.meta.dirname, '../..');

const folder = mkdtempSync(join(tmpdir(), 'slipway-terms-'));

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.close();
});

/** The text in a quote, which an API of another release may have to open. */
async function quotedText(signedQuote: string): Promise<string> {
  const [key] = quoteKeysOf({ platform });
  const { plaintext } = await compactDecrypt(signedQuote, key?.secret ?? new Uint8Array());
  return new TextDecoder().decode(plaintext);
}

/** The terms of a launch as its row has them, which a worker of another release may have to read. */
async function storedText(quoteId: string): Promise<string> {
  const { rows } = await sql<{ terms: string }>`
    select terms::text as terms from launches where quote_id = ${quoteId}`.execute(platform.db);
  return rows[0]?.terms ?? '';
}

/** Terms with every part and optional field that prepare writes. */
async function textsOfToday(): Promise<string[]> {
  const creator = await createCreator(platform, 50);
  const quoteMint = SEED_PAIRS.find(({ holders }) => holders > 0)?.mint.toBase58();
  const feeRecipient = Keypair.generate().publicKey.toBase58();
  const texts: string[] = [];
  for (const wish of [
    { maxLamports: 1_000_000_000 },
    { devBuySol: 0.1, feeTier: '2%', telegram: 'https://t.me/slipway', feeRecipient },
    { quoteMint, mode: 'reward', rewardTaxBps: 300, devBuyPercent: 2, airdropPercent: 10 },
  ]) {
    const prepared = await creator.prepare(wish);
    texts.push(await quotedText(prepared.signedQuote));
    await creator.submit(creator.sign(prepared));
    texts.push(await storedText(prepared.quoteId));
  }
  return texts;
}

const PROGRAM = `import { readFileSync } from 'node:fs';
import { parseLaunchTerms } from './domain/launch/terms-schema.ts';
for (const text of JSON.parse(readFileSync(process.argv[2], 'utf8'))) parseLaunchTerms(JSON.parse(text));
`;

const releases = readReleases(PROJECT);

it.skipIf(!releases.every(({ commit }) => hasCommit(commit))).for(releases)(
  'release $version reads the quotes and launches of today (skipped in a clone without history)',
  { timeout: 120_000 },
  async ({ commit }) => {
    const root = join(folder, commit);
    await layOutCommit(commit, root, 'domain');
    const [program, texts] = [join(root, 'read-terms.ts'), join(root, 'texts.json')];
    writeFileSync(program, PROGRAM);
    writeFileSync(texts, JSON.stringify(await textsOfToday()));
    await expect(run(process.execPath, [program, texts])).resolves.toMatchObject({ stderr: '' });
  },
);

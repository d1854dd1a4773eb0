import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type KmsServer, startKmsServer } from '../support/kms-server.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { createSecrets, spellingsOf } from '../support/platform/secrets.ts';
import { untilState } from '../support/platform/until-state.ts';
import { runRound } from '../support/platform/run-round.ts';
import { LAUNCH_WALLETS_ROUND } from '../../workflows/launch/messages.ts';

const secrets = createSecrets();
let kms: KmsServer;
let directory: string;
let platform: Platform;

beforeAll(async () => {
  const keypair = (secret: string) => Keypair.fromSecretKey(bs58.decode(secret));
  kms = await startKmsServer({ 'alias/treasury': { keypair: keypair(secrets.TREASURY_SECRET_KEY) } });
  const aws = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  Object.entries({ ...aws, AWS_ENDPOINT_URL_KMS: kms.url }).forEach(([name, value]) => vi.stubEnv(name, value));
  directory = await mkdtemp(join(tmpdir(), 'slipway-keys-'));
  const file = join(directory, 'platform.json');
  await writeFile(file, JSON.stringify([...keypair(secrets.PLATFORM_SECRET_KEY).secretKey]), { mode: 0o600 });
  const seedFile = join(directory, 'seeds');
  await writeFile(seedFile, secrets.LAUNCH_SEEDS, { mode: 0o600 });
  platform = await startPlatform({
    secrets,
    variables: {
      TREASURY_SIGNER: 'aws-kms:alias/treasury',
      TREASURY_SECRET_KEY: '',
      PLATFORM_SIGNER: `file:${file}`,
      PLATFORM_SECRET_KEY: '',
      LAUNCH_SEEDS: '',
      LAUNCH_SEEDS_FILE: seedFile,
    },
  });
});
afterAll(async () => {
  await platform.close();
  await kms.close();
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

it('a launch with a dev buy, and the emptying of its wallet, are signed by a treasury in KMS, a platform key and seeds in files', async () => {
  const before = kms.asked.filter((action) => action === 'Sign').length;
  const { prepared, answer } = await (await createCreator(platform, 5)).launchToEnd({ devBuyPercent: 1 });
  expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
  expect(kms.asked.filter((action) => action === 'Sign').length).toBeGreaterThan(before);
  await untilState(platform, prepared, 'finalized');
  await runRound(platform, LAUNCH_WALLETS_ROUND);
  const { emptiedAt } = await platform.db
    .selectFrom('launches')
    .select('emptiedAt')
    .where('quoteId', '=', prepared.quoteId)
    .executeTakeFirstOrThrow();
  expect(emptiedAt).not.toBeNull();
});

it('no key is in the log, however it is spelled', () => {
  const log = platform.log.text();
  expect(log).toContain('treasury key (aws-kms:alias/treasury)');
  for (const spelling of spellingsOf(secrets)) expect(log).not.toContain(spelling);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as switches from '../../../db/platform/switches.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { SWITCH_VALUES, type SwitchName, type Switches } from '../../../domain/switches.ts';
import { prepareClaim } from '../../support/claim/claimant.ts';
import { openMarket } from '../../support/claim/claim-market.ts';
import { signedBy } from '../../support/platform/creator.ts';
import { LOGO } from '../../support/platform/logo.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { hasPython, INSTALL_MS } from '../../support/python.ts';
import { installSchemathesis, type KnownValues, runSchemathesis } from './schemathesis.ts';
import { COMBINATIONS, EXAMPLES, SEED } from './settings.ts';

/** Longest that one combination takes, ms; grows with its examples. */
const RUN_MS = 300_000 + EXAMPLES * 20_000;

const DOCUMENT = '/api/public/v1/openapi.full.json';

let platform: Platform;
let program: string;
let known: KnownValues;
let origin: string;
let folder: string;
async function set(wanted: Switches): Promise<void> {
  for (const name of Object.keys(SWITCH_VALUES) as SwitchName[]) {
    await switches.set(platform.db, name, wanted[name], { actor: 'test' });
  }
}

/** Launches and trades; answers values with which requests find something. */
async function seed(): Promise<KnownValues> {
  const [market, reward] = [await openMarket(platform), await openMarket(platform, { mode: 'reward' })];
  await market.trade('buy', 5_000_000_000n);
  await reward.trade('buy', 5_000_000_000n);
  const claim = await prepareClaim(platform, market.mint, market.creator.keypair);
  const submission = market.creator.sign(market.prepared);
  const { paymentSignature } = await platform.db
    .selectFrom('launches')
    .select('paymentSignature')
    .executeTakeFirstOrThrow();
  return {
    'path.mint': [market.mint, reward.mint],
    'path.paymentSignature': [paymentSignature ?? ''],
    'body.creatorWallet': [market.creator.address.toBase58()],
    'body.quoteMint': SEED_PAIRS.map(({ mint }) => mint.toBase58()),
    'body.name': ['Harbour Light'],
    'body.symbol': ['HARBOR'],
    'body.logo': [LOGO],
    'body.website': ['https://harbour.io'],
    'body.twitter': ['@harbour'],
    'body.telegram': ['t.me/harbour'],
    'body.signedQuote': [submission.signedQuote],
    'body.intentId': [claim.intentId],
    'body.signedTransaction': [submission.signedTransaction, signedBy(claim.transaction, [market.creator.keypair])],
  };
}

const nameOf = (combination: Switches) =>
  Object.entries(combination)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

describe.skipIf(!hasPython())('the contract', () => {
  beforeAll(async () => {
    program = await installSchemathesis();
    folder = await mkdtemp(join(tmpdir(), 'slipway-contract-'));
    platform = await startPlatform({ variables: { RATE_LIMIT_CLAIM_PREPARE: '1000000' } });
    await set({ launching: 'on', claiming: 'on', devBuys: 'on', airdrops: 'on', rewardLaunches: 'open' });
    known = await seed();
    origin = await platform.api.listen({ host: '127.0.0.1', port: 0 });
  }, INSTALL_MS + RUN_MS);
  afterAll(async () => {
    await platform.close();
    await rm(folder, { recursive: true });
  });

  test.each(COMBINATIONS.map((combination, index) => [nameOf(combination), combination, index] as const))(
    'with %s, whatever is asked of any operation is answered as the document says',
    async (name, combination, index) => {
      await set(combination);
      const run = { folder, url: `${origin}${DOCUMENT}`, examples: EXAMPLES, seed: SEED + index, known };
      const { test_cases, failures, errors, complete } = await runSchemathesis(program, run);
      console.info(`contract: ${test_cases.generated} cases with ${name}`);
      expect([failures, errors, complete]).toEqual([[], [], true]);
      expect(test_cases.generated).toBeGreaterThan(100);
    },
    RUN_MS,
  );
});

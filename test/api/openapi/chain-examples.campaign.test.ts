import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHAIN_EXAMPLES_FILE, readExamples } from '../../../api/openapi/examples.ts';
import { claim, createApi, keypairSigner, launch } from '../../../client/index.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { STAND_IN_COLLECTION } from '../../../dev/stand-in/collection.ts';
import { operationOf } from '../../support/client/tampering.ts';
import { openMarket } from '../../support/claim/claim-market.ts';
import { LOGO } from '../../support/platform/logo.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';

const ROOT = '/api/public/v1';

/** Operations whose answers need a chain, and how their requests are told from others. */
const OPERATIONS = {
  'GET /tokens/{mint}/holders': /^GET .*\/holders$/,
  'POST /launches/prepare': /^POST .*\/launches\/prepare$/,
  'POST /launches/submit': /^POST .*\/launches\/submit$/,
  'GET /tokens/{mint}/fees': /^GET .*\/fees$/,
  'POST /tokens/{mint}/fees/claim/prepare': /^POST .*\/tokens\/.*\/claim\/prepare$/,
  'POST /tokens/{mint}/fees/claim/submit': /^POST .*\/claim\/submit$/,
  'GET /wallets/{wallet}': /^GET .*\/wallets\/[^/]+$/,
  'POST /wallets/{wallet}/fees/claim/prepare': /^POST .*\/wallets\/.*\/claim\/prepare$/,
};

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** Launches, trades and claims, and keeps the last answer to each of these operations. */
async function realAnswers(): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const keeping: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const request = operationOf(input, init);
    const operation = Object.entries(OPERATIONS).find(([, pattern]) => pattern.test(request))?.[0];
    if (operation !== undefined && response.ok) answers[operation] = await response.clone().json();
    return response;
  };
  const url = `${await platform.api.listen({ host: '127.0.0.1', port: 0 })}${ROOT}`;
  const api = createApi({ url, fetch: keeping });
  const market = await openMarket(platform);
  await market.trade('buy', 5_000_000_000n);
  const signer = keypairSigner(market.creator.keypair);
  const quoteMint = SEED_PAIRS[0]?.mint.toBase58() ?? '';
  const wallet = { wallet: signer.address };
  await api.ask('GET /wallets/{wallet}', { path: wallet });
  await api.ask('POST /wallets/{wallet}/fees/claim/prepare', { path: wallet, body: {} });
  const token = { quoteMint, name: 'Harbour Light', symbol: 'HARBOR', logo: LOGO };
  expect(await launch({ api, signer, token, maxLamports: 300_000_000n })).toMatchObject({ status: 'completed' });
  expect(await claim({ api, signer, mint: market.mint, collection: STAND_IN_COLLECTION })).toMatchObject({
    status: 'paid',
  });
  await api.ask('GET /tokens/{mint}/holders', { path: { mint: market.mint } });
  return answers;
}

/** A value with everything but its names and types taken out. */
function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [formOf(value[0])];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, formOf(each)]));
}

it('the examples that need a chain are what a platform answers: record them anew with RECORD_EXAMPLES=1', async () => {
  const answers = await realAnswers();
  expect(Object.keys(answers).sort()).toEqual(Object.keys(OPERATIONS).sort());
  if (process.env['RECORD_EXAMPLES'] === '1') {
    const inOrder = Object.keys(OPERATIONS).map((name) => [name, answers[name]]);
    writeFileSync(CHAIN_EXAMPLES_FILE, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
  }
  const kept = readExamples();
  for (const [name, answer] of Object.entries(answers))
    expect([name, formOf(kept[name])]).toEqual([name, formOf(answer)]);
});

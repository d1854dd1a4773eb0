import { afterAll, beforeAll, expect, it } from 'vitest';
import { TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import Type from 'typebox';
import Value from 'typebox/value';
import { PairsSchema } from '../../api/pairs/pairs.get.ts';
import { quoteFeeProblem } from '../../chain/tokens/transfer-fee.ts';
import * as launches from '../../db/launch/launches.ts';
import { testConfig } from '../support/api/api-config.ts';
import { testApp } from '../support/api/test-app.ts';
import { balanceOf } from '../support/claim/claim-market.ts';
import { eventually } from '../support/platform/eventually.ts';
import { addressOf } from '../support/platform/secrets.ts';
import { createCreator } from '../support/platform/creator.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { makeTaxedToken, raiseFee } from '../support/platform/taxed-token.ts';

let platform: Platform;
let quoteMint: string;
beforeAll(async () => {
  platform = await startPlatform();
  quoteMint = (await makeTaxedToken(platform)).toBase58();
});
afterAll(() => platform.close());

const AnswerSchema = Type.Object({ data: PairsSchema });

/** What a new process lists: one that runs asks the chain again after a minute. */
async function listed() {
  const api = await testApp({
    db: platform.db,
    config: testConfig({ SOLANA_RPC_URL: platform.variables['SOLANA_RPC_URL'] ?? '' }),
  });
  const body: unknown = (await api.inject('/api/public/v1/pairs?launchable=true')).json();
  await api.close();
  const { pairs } = Value.Parse(AnswerSchema, body).data;
  return pairs.find(({ mint }) => mint === quoteMint);
}

it('a quote token whose transfers are taxed is launched against, but has no dev buys', async () => {
  const creator = await createCreator(platform);
  const refused = await creator.tryPrepare({ quoteMint, devBuyPercent: 1 });
  expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
  expect(refused.error?.message).toContain('dev buys with TAXED are not possible at the moment');
  expect(refused.error?.message).toContain('taxed with 250 bps');
  expect(await listed()).toMatchObject({ launchable: true, devBuysEnabled: false });
  expect((await creator.launchToEnd({ quoteMint })).answer).toMatchObject({ http: 200, data: { status: 'completed' } });
});

it('a dev buy with a token that was taxed after it was quoted is not signed', async () => {
  const creator = await createCreator(platform);
  const treasury = addressOf(platform.secrets.TREASURY_SECRET_KEY);
  await raiseFee(platform, new PublicKey(quoteMint), 0);
  platform.chain.control.give(treasury, 0n, [{ mint: quoteMint, amount: 10n ** 12n }]);
  const quote = { mint: new PublicKey(quoteMint), decimals: 6, tokenProgram: TOKEN_2022_PROGRAM_ID };
  await eventually(
    async () => (await balanceOf(platform, quote, new PublicKey(treasury))) || null,
    'stock for a dev buy',
  );
  expect(await listed()).toMatchObject({ launchable: true, devBuysEnabled: true });
  const prepared = await creator.prepare({ quoteMint, devBuyPercent: 1 });
  await raiseFee(platform, new PublicKey(quoteMint), 250);
  expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 503, charged: false });
  const launch = await launches.byQuoteId(platform.db, prepared.quoteId);
  expect(launch?.reason).toContain('transfers of TAXED are taxed with 250 bps');
});

it('a quote token whose author raises the tax beyond what is borne is launched against no more', async () => {
  const creator = await createCreator(platform);
  const prepared = await creator.prepare({ quoteMint });
  await raiseFee(platform, new PublicKey(quoteMint), 9_900);
  const refused = await creator.tryPrepare({ quoteMint });
  expect(refused).toMatchObject({ http: 503, error: { code: 'service_unavailable' } });
  expect(refused.error?.message).toContain('transfers take 9900 bps, at most 500 are borne');
  expect(await listed()).toBeUndefined();
  // What was quoted before is not signed any more.
  expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 503, charged: false });
});

it('nothing is sold for such a token', () => {
  const quote = { mint: new PublicKey(quoteMint), decimals: 6, tokenProgram: TOKEN_2022_PROGRAM_ID };
  expect(quoteFeeProblem({ ...quote, transferFee: { bps: 500, maximumRaw: 1n } })).toBeNull();
  expect(quoteFeeProblem({ ...quote, transferFee: { bps: 501, maximumRaw: 1n } })).toContain('transfers take 501 bps');
});

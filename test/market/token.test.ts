import { expect, test } from 'vitest';
import { withinOnePeriod } from '../support/api/within-one-period.ts';
import { insertSigned } from '../../db/money/chain-transaction-insert.ts';
import * as tokens from '../../db/tokens.ts';
import { launchPurpose } from '../../domain/purpose.ts';
import { address, launchTerms, recordingOf, signature } from '../support/launch/launch-rows.ts';
import { rewardFacts } from '../support/launch/launched-token.ts';
import { errorOf } from '../support/api/errors-of.ts';
import { listPair } from '../support/api/test-pairs.ts';
import { useMarketApp } from '../support/market/market-app.ts';

const market = useMarketApp();
const urlOf = (mint: string) => `/api/public/v1/tokens/${mint}`;

interface Answer {
  readonly data: { readonly token: Record<string, unknown>; readonly launch: Record<string, unknown> | null };
}

const read = async (mint: string) => (await market.app().inject(urlOf(mint))).json<Answer>().data;

test('a launched token has its market, its links and its launch with states and transactions', async () => {
  const { mint, terms, paymentSignature } = await market.launch({ market: { marketCapUsd: '31000.5' } });
  const wire = Buffer.from('wire');
  const signed = { attempt: 1, signature: signature(), wire, blockhash: address(), blockhashSlot: 1n };
  const row = { ...signed, purpose: launchPurpose(terms.quoteId, 3), lastValidBlockHeight: 2n };
  await insertSigned(market.db(), [row]);
  const data = await read(mint);
  expect(data).toMatchObject({
    token: {
      address: mint,
      mint,
      name: 'Harbour Light',
      quoteMint: market.quoteMint,
      links: { website: 'https://harbour.example' },
      market: { marketCapUsd: 31_000.5 },
      metadataUri: 'https://store.example/metadata.json',
      graduationProgress: 0.775012,
    },
    network: 'localnet',
  });
  expect(data.token).not.toHaveProperty('transferFee');
  expect(data.token).not.toHaveProperty('flywheel');
  expect(data.token).not.toHaveProperty('graduatedAt');
  expect(data.launch).toMatchObject({
    paymentSignature,
    status: 'completed',
    mint,
    mode: 'standard',
    feeTier: '1%',
    poolFeePercent: 1,
    quote: { mint: terms.quoteToken.mint, symbol: 'USDC' },
    logoUrl: 'https://store.example/logo.png',
    startMarketCapUsd: 5_001.2,
    targetMarketCapUsd: 5_000,
    launchpad: 'raydium',
    createdAt: '2026-11-21T12:00:01.500Z',
    payment: { lamports: 290_000_000 },
    devBuy: null,
    airdrop: null,
    transactions: [{ purpose: row.purpose, status: 'signed', signature: row.signature, slot: null }],
  });
  const states = data.launch?.['states'] as { state: string; at: string; slot: number | null }[];
  expect(states.map(({ state }) => state)).toEqual(['received', 'landing', 'recording', 'completed']);
  expect(states.at(-1)).toMatchObject({ slot: 1_234 });
});

test('a reward token has its transfer tax, and a launch its dev buy in tokens, net of tax, and lamports', async () => {
  const devBuy = { tokensRaw: '25000000000000001', netTokensRaw: '24750000000000000', maxQuoteRaw: '1', lamports: '7' };
  const { terms, token } = rewardFacts(100);
  const { mint } = await market.launch({ terms: { ...terms, devBuy }, token });
  const data = await read(mint);
  expect(data.token).toMatchObject({ mode: 'reward', transferFee: { bps: 100 } });
  expect(data.launch).toMatchObject({
    rewardTaxBps: 100,
    transferFee: { bps: 100 },
    devBuy: {
      tokens: Number('25000000.000000001'),
      tokensRaw: '25000000000000001',
      netTokens: 24_750_000,
      netTokensRaw: '24750000000000000',
      lamports: 7,
    },
  });
});

test('a hidden token can still be read, a withdrawn and an unknown one are 404 and not cached', async () => {
  const [{ mint: hidden }, { mint: withdrawn }] = [await market.launch(), await market.launch()];
  await tokens.setHidden(market.db(), hidden, true, { actor: 'test' });
  expect((await read(hidden)).token).toMatchObject({ mint: hidden });
  await tokens.withdraw(market.db(), withdrawn);
  for (const mint of [withdrawn, address()]) {
    const answer = await market.app().inject(urlOf(mint));
    expect([answer.statusCode, errorOf(answer).code, answer.headers['cache-control']]).toEqual([
      404,
      'not_found',
      'no-store',
    ]);
  }
});

test('links that an admin corrected show within the time of the cache', async () => {
  const { mint } = await market.launch();
  const links = async () => (await read(mint)).token['links'];
  expect(await links()).toEqual({ website: 'https://harbour.example' });
  const corrected = { website: 'https://new.example', twitter: 'https://x.com/new' };
  await tokens.setLinks(market.db(), mint, corrected, { actor: 'test' });
  await expect.poll(links, { interval: 200 }).toEqual(corrected);
});

test('a path that ends where the mint should be leads nowhere', async () => {
  for (const path of ['/tokens/', '/tokens//burns', '/launches/']) {
    const answer = await market.app().inject(`/api/public/v1${path}`);
    expect([path, answer.statusCode, errorOf(answer).code]).toEqual([path, 404, 'not_found']);
  }
});

test('a token that graduated says since when, and has all of its progress whatever its cap is now', async () => {
  const { mint } = await market.launch({ market: { marketCapUsd: '12', status: 'graduated' } });
  const { token } = await read(mint);
  expect(token).toMatchObject({ status: 'graduated', graduationProgress: 1 });
  expect(Date.parse(String(token['graduatedAt']))).toBeGreaterThan(0);
});

test('a token that was not launched here has no launch', async () => {
  const token = { ...recordingOf(launchTerms()).token, quoteMint: market.quoteMint };
  const created = {
    createdAt: new Date(),
    createdSlot: 1n,
    links: JSON.stringify(token.links),
    symbolSkeleton: '',
    nameSkeleton: '',
  };
  await market
    .db()
    .insertInto('tokens')
    .values({ ...token, ...created })
    .execute();
  const data = await read(token.mint);
  expect(data).toMatchObject({ token: { mint: token.mint, market: { volume24hUsd: 0 } }, launch: null });
  expect(data.token['market']).not.toHaveProperty('marketCapUsd');
});

test('a quote token that was not launched here is 404, whether pools are paired with it or not', async () => {
  const [paired, lonely] = [
    await listPair(market.db(), { symbol: 'PAIR' }),
    await listPair(market.db(), { symbol: 'LONE' }),
  ];
  await market.launch({ token: { quoteMint: paired.mint } });
  for (const { mint } of [paired, lonely]) {
    const answer = await market.app().inject(urlOf(mint));
    expect([answer.statusCode, errorOf(answer).code]).toEqual([404, 'not_found']);
  }
});

test.each(['short', '0'.repeat(40), `${'1'.repeat(45)}`, "x' or true --"])(
  'the mint %j is refused by name',
  async (mint) => {
    const answer = await market.app().inject(urlOf(encodeURIComponent(mint)));
    expect(answer.statusCode).toBe(400);
    expect(errorOf(answer).message).toContain('path parameter "mint"');
  },
);

test('it takes no notice of query parameters, and answers 304 to who has it', async () => {
  const { mint } = await market.launch();
  expect((await market.app().inject(`${urlOf(mint)}?nocache=1`)).statusCode).toBe(200);
  const again = await withinOnePeriod(async () => {
    const { headers } = await market.app().inject(urlOf(mint));
    return market.app().inject({ url: urlOf(mint), headers: { 'if-none-match': headers.etag } });
  });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

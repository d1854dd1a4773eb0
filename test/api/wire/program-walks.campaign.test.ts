import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as switches from '../../../db/platform/switches.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { type Market, openMarket } from '../../support/claim/claim-market.ts';
import { ENCODINGS } from '../../support/clients/encodings.ts';
import { type Creator, createCreator } from '../../support/platform/creator.ts';
import { LOGO } from '../../support/platform/logo.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { type Judge, judgeByDocument } from '../../support/wire/document.ts';

let platform: Platform;
let creator: Creator;
let judge: Judge;
beforeAll(async () => {
  platform = await startPlatform();
  creator = await createCreator(platform, 20);
  await switches.set(platform.db, 'devBuys', 'on', { actor: 'test' });
  judge = await judgeByDocument(platform.api);
});
afterAll(() => platform.close());

type Data = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** Sends what a program sends, and has the answer judged by the document. */
async function send(headers: Headers, method: 'GET' | 'POST', path: string, body?: object) {
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  const answer = await platform.api.inject({ method, url: `/api/public/v1${path}`, headers, ...payload });
  expect([path, judge(method, path, answer)]).toEqual([path, []]);
  return { http: answer.statusCode, body: answer.json<{ data: Data; error?: { code: string; message: string } }>() };
}

async function read(headers: Headers, path: string): Promise<Data> {
  const { http, body } = await send(headers, 'GET', path);
  expect([path, http]).toEqual([path, 200]);
  return body.data;
}

/** Sent with every request, those without a body too. */
const PAGE = { 'content-type': 'application/json', origin: 'https://site.example' };
const BOT = {
  'content-type': 'application/json',
  accept: '*/*',
  'accept-encoding': 'gzip, deflate',
  'user-agent': 'bot/1.0',
};
const SERVER = { 'content-type': 'application/json' };

const signed = (what: string, transaction: unknown, by: Creator) => {
  const encoding = ENCODINGS.find((one) => one.what === what);
  if (!encoding) throw new Error(`no encoding is called ${what}`);
  return encoding.sign(String(transaction), by.keypair);
};

const wish = (changes: object) => ({
  creatorWallet: creator.address.toBase58(),
  quoteMint: SEED_PAIRS[0]?.mint.toBase58(),
  name: 'Harbour Light',
  symbol: 'HARBOR',
  mode: 'standard',
  logo: LOGO,
  ...changes,
});

describe.each([
  [
    'a page with a wallet',
    PAGE,
    { feeTier: '2%', devBuyPercent: 1 },
    'Transaction of web3.js, the missing signature as zeros',
  ],
  ['a bot in Python', BOT, { devBuyPercent: 2.5, twitter: 'https://x.com/harbour' }, 'one place for a signature only'],
  ['a server that relays for pages', SERVER, { website: 'https://harbour.io' }, 'VersionedTransaction of web3.js'],
] as const)('%s', (_program, headers, changes, encoding) => {
  test('chooses a pair, prepares, signs, submits, follows the status and reads its token', async () => {
    const { pairs } = (await read(headers, '/pairs?launchable=true')) as { pairs: readonly { mint: string }[] };
    expect(pairs.map(({ mint }) => mint)).toContain(wish({}).quoteMint);
    const prepared = (await send(headers, 'POST', '/launches/prepare', wish(changes))).body.data;
    const signedTransaction = signed(encoding, prepared['paymentTransaction'], creator);
    const { signedQuote } = prepared;
    const submitted = await send(headers, 'POST', '/launches/submit', { signedQuote, signedTransaction, logo: LOGO });
    const paymentSignature = bs58.encode(Buffer.from(signedTransaction, 'base64').subarray(1, 65));
    expect(submitted).toMatchObject({ http: 200, body: { data: { status: 'completed', paymentSignature } } });
    const { mint } = submitted.body.data as { mint: string };
    expect(await read(headers, `/launches/${paymentSignature}`)).toMatchObject({ status: 'completed', mint });
    expect(await read(headers, `/tokens/${mint}`)).toMatchObject({ token: { mint }, launch: { paymentSignature } });
    expect(await read(headers, `/tokens/${mint}/fees`)).toMatchObject({ claimable: { quote: {} } });
  });
});

describe('a launcher with a habit that is not in the specification', () => {
  test.each([
    ['calls the tax transferFeeBps', { mode: 'reward', transferFeeBps: 100 }, 'transferFeeBps'],
    ['names the quote token by its symbol', { quoteMint: 'USDL' }, 'quoteMint'],
  ])('%s: it is told which field', async (_habit, changes, field) => {
    await switches.set(platform.db, 'rewardLaunches', 'open', { actor: 'test' });
    const { http, body } = await send(SERVER, 'POST', '/launches/prepare', wish(changes));
    expect([http, body.error?.code]).toEqual([400, 'invalid_request']);
    expect(body.error?.message).toContain(field);
  });
});

describe('a page for creators', () => {
  let market: Market;
  beforeAll(async () => {
    market = await openMarket(platform);
    await market.trade('buy', 5_000_000_000n);
  });

  test('shows what can be claimed, claims it, and may ask again', async () => {
    const path = `/tokens/${market.mint}/fees`;
    const { claimable } = (await read(PAGE, path)) as { claimable: { quote: { amountRaw: string } } };
    expect(BigInt(claimable.quote.amountRaw)).toBeGreaterThan(0n);
    const creatorWallet = market.creator.address.toBase58();
    const prepared = (await send(PAGE, 'POST', `${path}/claim/prepare`, { creatorWallet })).body.data;
    const { intentId, transaction } = prepared;
    const what = 'Transaction of web3.js, the missing signature as zeros';
    const claim = { creatorWallet, intentId, signedTransaction: signed(what, transaction, market.creator) };
    const first = (await send(PAGE, 'POST', `${path}/claim/submit`, claim)).body.data;
    const again = (await send(PAGE, 'POST', `${path}/claim/submit`, claim)).body.data;
    expect([first['alreadySubmitted'], again['alreadySubmitted']]).toEqual([false, true]);
    expect(again['signature']).toBe(first['signature']);
    const owner = market.creator.address;
    expect((await market.holdings(owner)).quote).toBe(BigInt(claimable.quote.amountRaw));
  });
});

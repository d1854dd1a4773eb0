import {
  createAssociatedTokenAccountIdempotentInstruction,
  createSyncNativeInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpc } from '../../chain/rpc/rpc.ts';
import { readWorkerConfig } from '../../config/worker.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { lamportsForQuote, sellingRate } from '../../domain/launch/dev-buy.ts';
import type { LaunchTerms } from '../../domain/launch/terms.ts';
import type { Wish } from '../../domain/launch/terms-wish.ts';
import { spendablePrice } from '../../domain/trading/spendable-price.ts';
import { priceFindings } from '../../ops/commands/platform/doctor/service-check.ts';
import { SEED_PAIRS, SOL_USD } from '../../dev/seed/local-pairs.ts';
import { balanceOf, land } from '../support/claim/claim-market.ts';
import { repriced, sealerOf, submitForged } from '../support/launch/forged-quote.ts';
import { traceOf } from '../support/platform/chain-facts.ts';
import { createCreator, type Prepared } from '../support/platform/creator.ts';
import { eventually } from '../support/platform/eventually.ts';
import { listAtPrice, makeListedToken } from '../support/platform/listed-token.ts';
import { LOGO } from '../support/platform/logo.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { ops } from '../support/ops/ops-run.ts';
import { addressOf } from '../support/platform/secrets.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

const AnswerSchema = Type.Object({
  data: Type.Optional(
    Type.Object({
      payment: Type.Object({ lamports: Type.Integer() }),
      devBuy: Type.Union([Type.Null(), Type.Object({ lamports: Type.Integer(), tokensRaw: Type.String() })]),
      airdrop: Type.Union([Type.Null(), Type.Object({ tokensRaw: Type.String() })]),
    }),
  ),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
});

const PairsSchema = Type.Object({
  data: Type.Object({
    pairs: Type.Array(Type.Object({ mint: Type.String(), launchable: Type.Boolean(), devBuysEnabled: Type.Boolean() })),
  }),
});

/** An answer of prepare, with the amounts that the creator would pay and get. */
interface Offer extends Static<typeof AnswerSchema> {
  readonly http: number;
}

async function offer(changes: object): Promise<Offer> {
  const creatorWallet = Keypair.generate().publicKey.toBase58();
  const payload = { creatorWallet, name: 'Wish', symbol: 'WISH', logo: LOGO, ...changes };
  const response = await platform.api.inject({ method: 'POST', url: '/api/public/v1/launches/prepare', payload });
  const body: unknown = response.json();
  return { http: response.statusCode, ...Value.Parse(AnswerSchema, Value.Clean(AnswerSchema, body)) };
}

const steady = (usd: string) =>
  spendablePrice({ usd, source: 'fixed', observedAt: new Date(0) }, [], { mint: 'test', maxDeviationBps: 1 });

/** Lamports that so many raw units are worth, rounded up. */
function lamportsOf(raw: bigint, { usd, decimals }: { readonly usd: string; readonly decimals: number }): number {
  return Number(lamportsForQuote(raw, sellingRate(steady(SOL_USD), steady(usd), decimals)));
}

const TOO_SMALL = /^the dev buy of .* is too small with \w+: /;
const open = SEED_PAIRS.filter(({ symbol }) => ['USDL', 'LBIT', 'CORAL'].includes(symbol));
const [dollar] = open;

describe.each(open.map((pair) => [pair.symbol, pair] as const))('a dev buy of few raw units of %s', (_symbol, pair) => {
  const quoteMint = pair.mint.toBase58();

  it.each([1n, 2n, 3n, 100n, 199n, 10_000n])('of %s costs no more than was asked for, or is refused', async (raw) => {
    const asked = lamportsOf(raw, pair);
    const kinds = [{}, { feeTier: '2%' }, { mode: 'reward' }, { mode: 'reward', rewardTaxBps: 300 }];
    for (const kind of kinds) {
      const { http, data, error } = await offer({ quoteMint, devBuySol: asked / 1e9, ...kind });
      if (http === 400) expect(error?.message).toMatch(TOO_SMALL);
      else expect(data?.devBuy?.lamports).toBeLessThanOrEqual(asked);
      // A lamport buys many raw units of CORAL, so only the dearer ones are asked for exactly that many.
      if (raw < 200n && pair.decimals < 9) expect(http).toBe(400);
      if (raw === 10_000n) expect(http).toBe(200);
    }
  });
});

it.each([1e-17, 1e-18, 0.000000000000000099])('a dev buy of %s percent is refused as too small', async (percent) => {
  const { http, error } = await offer({ quoteMint: dollar?.mint.toBase58(), devBuyPercent: percent });
  expect([http, error?.message]).toEqual([400, expect.stringMatching(TOO_SMALL)]);
});

it.each([
  [1e-9, 200],
  [1e-13, 200],
  [1e-15, 400],
  [1e-18, 400],
  [50, 200],
])('an airdrop of %s percent is answered with %s, and never of more than it', async (airdropPercent, status) => {
  const quoteMint = SEED_PAIRS.find(({ holders }) => holders > 0)?.mint.toBase58();
  const { http, data, error } = await offer({ quoteMint, mode: 'reward', airdropPercent });
  expect(http).toBe(status);
  if (status === 200) expect(Number(data?.airdrop?.tokensRaw)).toBe(Math.round(airdropPercent * 1e16));
  else expect(error?.message).toContain('too small to give each wallet a raw unit');
});

it('a price above maxLamports is refused with both figures, one that reaches it is not', async () => {
  const wish = { quoteMint: dollar?.mint.toBase58(), devBuyPercent: 1 };
  const { data } = await offer(wish);
  const lamports = data?.payment.lamports ?? 0;
  expect((await offer({ ...wish, maxLamports: lamports })).http).toBe(200);
  const refused = await offer({ ...wish, maxLamports: lamports - 1 });
  expect(refused).toMatchObject({ http: 400, error: { code: 'invalid_request' } });
  expect(refused.error?.message).toBe(`the launch costs ${lamports} lamports, maxLamports allows ${lamports - 1}`);
});

it('what was asked for is stored with the addresses of the quote', async () => {
  const creator = await createCreator(platform);
  const sealedWish = async (changes: object) =>
    launchAddresses.wishOf(platform.db, (await creator.prepare(changes)).quoteId);
  expect(await sealedWish({})).toEqual({});
  expect(await sealedWish({ devBuySol: 0.1234567891, maxLamports: 1_000_000_000 })).toEqual({
    devBuy: { lamports: '123456789' },
    maxLamports: '1000000000',
  });
  const quoteMint = SEED_PAIRS.find(({ holders }) => holders > 0)?.mint.toBase58();
  expect(await sealedWish({ quoteMint, mode: 'reward', devBuyPercent: 2, airdropPercent: 10 })).toEqual({
    devBuy: { tokensRaw: '20000000000000000' },
    airdrop: { tier: 'top100', shareRaw: '100000000000000000' },
  });
});

/** Writes what only release 0.1.0 or an error of the API leaves. */
async function storeWish({ quoteId }: Prepared, wish: string | null): Promise<void> {
  await platform.db.updateTable('launchAddresses').set({ wish }).where('quoteId', '=', quoteId).execute();
}

it('a quote whose addresses release 0.1.0 took has no stored wish, and is launched', async () => {
  const creator = await createCreator(platform);
  const prepared = await creator.prepare({ devBuyPercent: 1 });
  await storeWish(prepared, null);
  expect(await creator.submit(creator.sign(prepared))).toMatchObject({ http: 200, data: { status: 'completed' } });
});

it('a quote of which a restored database forgot what was asked for is signed by no worker', async () => {
  const creator = await createCreator(platform);
  const prepared = await creator.prepare({});
  await platform.db.deleteFrom('launchAddresses').where('quoteId', '=', prepared.quoteId).execute();
  const answer = await creator.submit(creator.sign(prepared));
  expect(answer).toMatchObject({ http: 503, charged: false });
  expect(answer.error?.message).toContain('prepare the launch again');
});

describe('terms that are not as wished are signed by no worker', () => {
  const less = (amount = '0') => (BigInt(amount) - 1n).toString();
  it.each<[string, object, (terms: LaunchTerms) => Wish, RegExp]>([
    [
      'dev buy by SOL',
      { devBuySol: 0.1 },
      ({ devBuy }) => ({ devBuy: { lamports: less(devBuy?.lamports) } }),
      /lamports of the dev buy are more than/,
    ],
    [
      'dev buy by percent',
      { devBuyPercent: 1 },
      ({ devBuy }) => ({ devBuy: { tokensRaw: less(devBuy?.tokensRaw) } }),
      /raw units of the dev buy is not the/,
    ],
    ['dev buy unasked', { devBuyPercent: 1 }, () => ({}), /a dev buy was not asked for/],
    ['dev buy left out', {}, () => ({ devBuy: { lamports: '1' } }), /a dev buy was asked for, and there is none/],
    [
      'whole payment',
      {},
      ({ payment }) => ({ maxLamports: less(payment.lamports) }),
      /lamports of the payment are more than/,
    ],
  ])('%s', async (_what, changes, wish, says) => {
    const creator = await createCreator(platform);
    const prepared = await creator.prepare(changes);
    const terms = await sealerOf(platform).open(prepared.signedQuote);
    await storeWish(prepared, JSON.stringify(wish(terms)));
    const answer = await creator.submit(creator.sign(prepared));
    expect(answer).toMatchObject({ http: 503, charged: false });
    expect(answer.error?.message).toMatch(says);
    expect(await traceOf(platform, prepared)).toEqual({ wallet: null, token: null, transactions: 0, ledger: [] });
  });
});

it('a dev buy by percent is signed by no worker above its price', async () => {
  const creator = await createCreator(platform, 50);
  const prepared = await creator.prepare({ devBuyPercent: 1 });
  const answer = await submitForged(platform, creator, prepared, (terms) => {
    const { devBuy } = terms;
    const lamports = ((BigInt(devBuy?.lamports ?? 0) * 11n) / 10n).toString();
    return { devBuy: devBuy && { ...devBuy, lamports }, ...repriced(terms, 'devBuy', lamports) };
  });
  expect(answer).toMatchObject({ http: 503, charged: false });
  expect(answer.error?.message).toMatch(/was proposed for \d+ lamports and is worth \d+ now/);
});

describe('a quote token with unusual decimals', () => {
  it.each([
    [0, '0.5', 200],
    [0, '1', 503],
    [0, '300', 503],
    [0, '60000', 503],
    [0, '100000', 503],
    [18, '1', 503],
    [18, '0.0001', 503],
    [18, '60000', 200],
    [12, '0.00000001', 503],
  ])('of %s at %s USD is answered with %s by prepare, with and without a dev buy', async (decimals, usd, status) => {
    const quoteMint = await makeListedToken(platform, decimals, usd);
    for (const wish of [{}, { devBuyPercent: 2.5 }, { devBuySol: 0.05 }]) {
      const { http, data, error } = await offer({ quoteMint, ...wish });
      // 0.05 SOL are a few dollars: of a token without decimals that is no price.
      const isRounded = 'devBuySol' in wish && usd === '0.5';
      expect(http, error?.message).toBe(isRounded ? 400 : status);
      if (isRounded)
        expect(error?.message).toMatch(/would cost \d+ raw units of it, which rounds its price by more than/);
      if (status === 503)
        expect(error?.message).toMatch(/^launches with \w+ are not possible at its price of .*: .*; choose another/);
      if ('devBuySol' in wish && data?.devBuy) expect(data.devBuy.lamports).toBeLessThanOrEqual(50_000_000);
    }
  });
});

it('a pair that no pool could open with is not listed by the operator, shown as closed, and named by the doctor', async () => {
  const mint = await makeListedToken(platform, 0, '60000');
  const { DATABASE_URL = '', SOLANA_RPC_URL = '' } = platform.variables;
  const env = { DATABASE_URL, SOLANA_RPC_URL };
  const { body } = await platform.api.inject({ method: 'GET', url: '/api/public/v1/pairs?category=majors' });
  const shown = new Map(
    Value.Parse(PairsSchema, Value.Clean(PairsSchema, JSON.parse(body))).data.pairs.map((pair) => [pair.mint, pair]),
  );
  expect(shown.get(mint)).toMatchObject({ launchable: false, devBuysEnabled: false });
  const line = (of: string) => `pairs add ${of} --symbol ODD --category odd --price-source fixed`;
  const why = 'cannot be launched with at 60000 USD: its pool would open at 0.000000 USD instead of 5000';
  const refused = await ops(env, line(mint), undefined, () => platform.adapter);
  expect(refused).toMatchObject({ status: 1, message: `ODD (${mint}) ${why}` });
  const good = dollar?.mint.toBase58() ?? '';
  expect(await ops(env, line(good), undefined, () => platform.adapter)).toMatchObject({ status: 0 });
  const { prices } = readWorkerConfig(platform.variables);
  const rpc = createRpc({ endpoints: [SOLANA_RPC_URL] });
  const findings = await priceFindings({ db: platform.db, rpc, prices, exchange: platform.exchange });
  expect(findings).toContainEqual({
    check: 'prices',
    is: 'problem',
    what: `D0 ${why}`,
    remedy: `npm run ops -- pairs retire ${mint}`,
  });
});

it('wrapped SOL is paid back to the treasury to the lamport, and a lamport of it is too small', async () => {
  const quoteMint = NATIVE_MINT.toBase58();
  const treasury = new PublicKey(addressOf(platform.secrets.TREASURY_SECRET_KEY));
  await listAtPrice(platform, quoteMint, 9, SOL_USD);
  const rich = Keypair.generate();
  platform.chain.control.fund(rich.publicKey.toBase58(), 10_000_000_000n);
  platform.chain.control.advanceSlots(2);
  const account = getAssociatedTokenAddressSync(NATIVE_MINT, treasury);
  await land(platform, rich, [
    createAssociatedTokenAccountIdempotentInstruction(rich.publicKey, account, treasury, NATIVE_MINT),
    SystemProgram.transfer({ fromPubkey: rich.publicKey, toPubkey: account, lamports: 5_000_000_000 }),
    createSyncNativeInstruction(account),
  ]);
  const wrapped = { mint: NATIVE_MINT, decimals: 9, tokenProgram: TOKEN_PROGRAM_ID };
  const held = () => balanceOf(platform, wrapped, treasury);
  await eventually(async () => (await held()) || null, 'wrapped SOL of the treasury');
  expect((await offer({ quoteMint, devBuySol: 1e-9 })).error?.message).toMatch(TOO_SMALL);
  const { data } = await offer({ quoteMint, devBuySol: 0.1 });
  const before = await held();
  const launched = await (await createCreator(platform)).launchToEnd({ quoteMint, devBuySol: 0.1 });
  expect(launched.answer).toMatchObject({ http: 200, data: { status: 'completed' } });
  expect(data?.devBuy?.lamports).toBeLessThanOrEqual(100_000_000);
  expect(before - (await held())).toBe(BigInt(data?.devBuy?.lamports ?? 0));
});

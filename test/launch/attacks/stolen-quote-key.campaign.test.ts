import { Keypair, PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteDevBuy } from '../../../chain/exchange/dev-buy.ts';
import { baseTokenOf, poolSupplyRaw, quoteTokenOf } from '../../../chain/launch/pool-request.ts';
import { readBalance } from '../../../chain/tokens/token-balance.ts';
import { SEED_PAIRS } from '../../../dev/seed/local-pairs.ts';
import { feeModelOf } from '../../../domain/fee-models.ts';
import type { DevBuyTerms, LaunchTerms } from '../../../domain/launch/terms.ts';
import { OPENING_MARKET_CAP_USD, TOTAL_SUPPLY_RAW } from '../../../domain/token-facts.ts';
import { type Forgery, repriced, sealerOf, submitForged } from '../../support/launch/forged-quote.ts';
import { traceOf } from '../../support/platform/chain-facts.ts';
import { createCreator } from '../../support/platform/creator.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import { addressOf } from '../../support/platform/secrets.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

/** The pool of these terms at another price, as the exchange itself would plan it. */
async function openedAt(terms: LaunchTerms, quotePriceUsd: string) {
  const { poolFeeTier } = feeModelOf(terms.fee);
  const base = baseTokenOf(terms);
  const quote = quoteTokenOf(terms);
  return platform.exchange.planLaunch(
    { baseMint: base.mint, quote, poolFeeTier, quotePriceUsd, openingMarketCapUsd: OPENING_MARKET_CAP_USD },
    await platform.exchange.poolFees(poolFeeTier),
    terms.fee,
    poolSupplyRaw(BigInt(terms.airdrop?.shareRaw ?? 0)),
  );
}

/** A dev buy of so many tokens, exact on the planned pool. */
async function bought(terms: LaunchTerms, tokensRaw: bigint, lamports: string): Promise<DevBuyTerms> {
  const plan = await openedAt(terms, terms.opening.quotePriceUsd);
  const fill = quoteDevBuy(plan, baseTokenOf(terms), quoteTokenOf(terms), { tokensRaw });
  if (fill.fill !== 'filled') throw new Error(`the pool does not fill ${tokensRaw} raw units`);
  const { netTokensRaw, quoteRaw } = fill;
  return {
    tokensRaw: tokensRaw.toString(),
    netTokensRaw: netTokensRaw.toString(),
    maxQuoteRaw: quoteRaw.toString(),
    lamports,
  };
}

const FORTY_PERCENT = (TOTAL_SUPPLY_RAW * 40n) / 100n;
const devBuyOf = ({ devBuy }: LaunchTerms): DevBuyTerms => {
  if (!devBuy) throw new Error('the launch has no dev buy');
  return devBuy;
};
const airdropOf = ({ airdrop }: LaunchTerms) => {
  if (!airdrop) throw new Error('the launch has no airdrop');
  return airdrop;
};
const somebody = () => Keypair.generate().publicKey.toBase58();

const [offCurve] = PublicKey.findProgramAddressSync([Buffer.from('x')], PublicKey.default);
const OFF_CURVE = offCurve.toBase58();

const BUY = { devBuyPercent: 2.5 };
const HELD_BY_MANY = SEED_PAIRS.find(({ holders }) => holders > 1_000);
const AIRDROP = { mode: 'reward', airdropPercent: 10, quoteMint: HELD_BY_MANY?.mint.toBase58() };

const FORGERIES: readonly [string, object, Forgery, RegExp][] = [
  [
    'a Fee Key for a wallet that the creator did not sign for',
    {},
    () => ({ feeRecipient: somebody() }),
    /payment message/,
  ],
  ['a Fee Key for an address without a key', {}, () => ({ feeRecipient: OFF_CURVE }), /is off the curve/],
  [
    'a dev buy of 40 % of the supply for a payment of 0.04 SOL',
    BUY,
    async (terms) => ({
      devBuy: await bought(terms, FORTY_PERCENT, '0'),
      payment: { ...terms.payment, items: [], lamports: '40000000' },
    }),
    /price/,
  ],
  [
    'a dev buy of 40 % of the supply at its full price',
    BUY,
    async (terms) => {
      const devBuy = await bought(terms, FORTY_PERCENT, '900000000');
      return { devBuy, ...repriced(terms, 'devBuy', devBuy.lamports) };
    },
    /dev buy of 400000000000000000 raw units is not within|400000000000000000 raw units of the dev buy is not the/,
  ],
  [
    'a dev buy that is not paid for',
    BUY,
    (terms) => ({ devBuy: { ...devBuyOf(terms), lamports: '1' }, ...repriced(terms, 'devBuy', '1') }),
    /proposed for 1 lamports and costs/,
  ],
  [
    'a dev buy for twice its price',
    BUY,
    (terms) => {
      const lamports = (BigInt(devBuyOf(terms).lamports) * 2n).toString();
      return { devBuy: { ...devBuyOf(terms), lamports }, ...repriced(terms, 'devBuy', lamports) };
    },
    /proposed for \d+ lamports and is worth/,
  ],
  [
    'a dev buy for which the treasury gives more than the pool takes',
    BUY,
    (terms) => ({ devBuy: { ...devBuyOf(terms), maxQuoteRaw: `${devBuyOf(terms).maxQuoteRaw}0` } }),
    /dev buy .* was proposed/,
  ],
  [
    'a launch for less than its price',
    {},
    (terms) => repriced(terms, 'launch', '40000000'),
    /launch:290000000 is right/,
  ],
  [
    'a payment that is less than its items',
    {},
    (terms) => ({ payment: { ...terms.payment, lamports: '40000000' } }),
    /payment of lamports/,
  ],
  [
    'a pool that opens at a tenth of the present price',
    {},
    async (terms) => ({ opening: (await openedAt(terms, `${Number(terms.opening.quotePriceUsd) * 10}`)).opening }),
    /USD and is at/,
  ],
  [
    'a market cap that its price does not give',
    {},
    (terms) => ({ opening: { ...terms.opening, marketCapUsd: '1.000000' } }),
    /opening/,
  ],
  [
    'fee keys on mints of somebody else',
    {},
    (terms) => ({ addresses: { ...terms.addresses, feeKeyMints: [somebody(), somebody()] } }),
    /addresses/,
  ],
  [
    'a launch wallet of somebody else',
    {},
    (terms) => ({ addresses: { ...terms.addresses, launchWallet: somebody() } }),
    /addresses/,
  ],
  ['a seed that the worker has not got', {}, () => ({ seedId: 'other' }), /no seed "other"/],
  ['metadata that is not stored', {}, (terms) => ({ metadataUri: `${terms.metadataUri}0` }), /metadata/],
  ['a name that cannot be shown', {}, () => ({ name: 'Hid\u202eden' }), /cannot be shown/],
  ['a link into a private network', {}, () => ({ links: { website: 'https://router.lan/' } }), /not public/],
  [
    'a quote token that is not listed',
    {},
    (terms) => ({ quoteToken: { ...terms.quoteToken, mint: somebody() } }),
    /not a pair that can be launched with/,
  ],
  [
    'a quote token with other decimals',
    {},
    (terms) => ({ quoteToken: { ...terms.quoteToken, decimals: terms.quoteToken.decimals + 1 } }),
    /quote token/,
  ],
  [
    'a tip that its price does not cover',
    {},
    (terms) => ({ network: { tipLamports: '250000000', computeUnitPrice: terms.network.computeUnitPrice } }),
    /tip of lamports/,
  ],
  [
    'a blockhash that never ends',
    {},
    (terms) => ({
      payment: { ...terms.payment, lastValidBlockHeight: terms.payment.lastValidBlockHeight + 1_000_000 },
    }),
    /last valid block height/,
  ],
  [
    'a blockhash of another slot',
    {},
    (terms) => ({ payment: { ...terms.payment, blockhashSlot: terms.payment.blockhashSlot - 1 } }),
    /blockhash/,
  ],
  [
    'an airdrop of 90 % of the supply',
    AIRDROP,
    (terms) => ({ airdrop: { ...airdropOf(terms), shareRaw: ((TOTAL_SUPPLY_RAW * 90n) / 100n).toString() } }),
    /raw units|opening/,
  ],
  [
    'an airdrop whose delivery is not paid for',
    AIRDROP,
    (terms) => ({ airdrop: { ...airdropOf(terms), feeLamports: '0' }, ...repriced(terms, 'airdrop', '0') }),
    /delivery fee/,
  ],
  [
    'an airdrop at a priority fee that the price does not cover',
    AIRDROP,
    (terms) => ({ airdrop: { ...airdropOf(terms), computeUnitPrice: '90000000' } }),
    /priority fee of the delivery/,
  ],
];

const inTreasury = (terms: LaunchTerms) =>
  readBalance(platform.connection, quoteTokenOf(terms), new PublicKey(addressOf(platform.secrets.TREASURY_SECRET_KEY)));

describe('whoever has stolen the key of quotes gets nothing signed for', () => {
  it.each(FORGERIES)('%s', async (_what, wish, forge, reason) => {
    const creator = await createCreator(platform, 5);
    const prepared = await creator.prepare(wish);
    const terms = await sealerOf(platform).open(prepared.signedQuote);
    const before = await inTreasury(terms);
    const answer = await submitForged(platform, creator, prepared, forge);
    expect(answer).toMatchObject({ http: 503, status: 'service_unavailable', charged: false });
    expect(answer.error?.message).toMatch(/the launch is refused/);
    expect(answer.error?.message).toMatch(reason);
    expect(await traceOf(platform, prepared)).toEqual({ wallet: null, token: null, transactions: 0, ledger: [] });
    expect(await inTreasury(terms)).toEqual(before);
  });

  it.each<[string, object]>([
    ['a launch', {}],
    ['a dev buy', BUY],
    ['an airdrop', AIRDROP],
  ])('%s as the API sealed it is completed, so that it is the forgery which is refused', async (_what, wish) => {
    const creator = await createCreator(platform, 5);
    const prepared = await creator.prepare(wish);
    const answer = await submitForged(platform, creator, prepared, () => ({}));
    expect(answer).toMatchObject({ http: 200, data: { status: 'completed' } });
  });
});

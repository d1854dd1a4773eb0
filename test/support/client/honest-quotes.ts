import { randomUUID } from 'node:crypto';
import { Keypair, PublicKey, type VersionedTransaction } from '@solana/web3.js';
import { buildPayment } from '../../../chain/launch/payment.ts';
import type { LaunchQuote, LaunchWish } from '../../../client/index.ts';

/** A wish and the quote that an honest platform gives for it. */
export interface HonestQuote {
  readonly what: string;
  readonly wish: LaunchWish;
  readonly quote: LaunchQuote;
}

/** Who pays in them. */
export const creator = Keypair.generate();
const launchWallet = Keypair.generate().publicKey;
const wish: LaunchWish = {
  creatorWallet: creator.publicKey.toBase58(),
  quoteMint: Keypair.generate().publicKey.toBase58(),
  name: 'Harbour Light',
  symbol: 'HARBOR',
  logo: 'data:image/png;base64,AAAA',
};
const base64 = (transaction: VersionedTransaction) => Buffer.from(transaction.serialize()).toString('base64');

type Items = LaunchQuote['payment']['items'];

function quoteOf(
  items: Items,
  changes: Partial<LaunchQuote> = {},
  quoteId = '0b6f2ad6-7d1c-4f6a-9a53-0f8f3b1c2d3e',
): LaunchQuote {
  const lamports = items.reduce((sum, item) => sum + item.lamports, 0);
  const feeLamports = items.find(({ item }) => item === 'launch')?.lamports ?? 0;
  const payment = buildPayment({
    quoteId,
    creator: creator.publicKey,
    launchWallet,
    feeRecipient: changes.feeRecipient === undefined ? null : new PublicKey(changes.feeRecipient),
    lamports: BigInt(lamports),
    blockhash: launchWallet.toBase58(),
    computeUnitPrice: 100_000n,
  });
  return {
    signedQuote: 'v1.sealed',
    paymentTransaction: base64(payment),
    quoteId,
    mint: Keypair.generate().publicKey.toBase58(),
    payment: {
      lamports,
      sol: lamports / 1e9,
      to: launchWallet.toBase58(),
      feeLamports,
      feeSol: feeLamports / 1e9,
      items,
    },
    mode: 'standard',
    poolFeePercent: 1,
    transferFee: null,
    devBuy: null,
    airdrop: null,
    openingMarketCapUsd: 5_000,
    quotePriceUsd: 1,
    metadataUri: 'https://arweave.net/x',
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
    lastValidBlockHeight: 1_000,
    ...changes,
  };
}

/** A quote of a launch of its own, as often as it is asked for. */
export const plainQuote = (): HonestQuote => ({
  what: 'a plain launch',
  wish,
  quote: quoteOf([launch], {}, randomUUID()),
});

const launch = { item: 'launch', lamports: 290_000_000 } as const;
const devBuy = (lamports: number) => ({ item: 'devBuy', lamports }) as const;

/** One quote of every kind. */
export const HONEST_QUOTES: readonly HonestQuote[] = [
  { what: 'a plain launch', wish, quote: quoteOf([launch]) },
  {
    what: 'a dev buy by percent with the higher tier',
    wish: { ...wish, feeTier: '2%', devBuyPercent: 2.5 },
    quote: quoteOf([launch, devBuy(650_000_000)], {
      poolFeePercent: 2,
      devBuy: { tokens: 25_000_000, tokensRaw: '25000000000000000', lamports: 650_000_000 },
    }),
  },
  {
    what: 'a reward launch with a dev buy by SOL and an airdrop',
    wish: {
      ...wish,
      mode: 'reward',
      rewardTaxBps: 300,
      devBuySol: 0.05,
      airdropPercent: 33.3,
      airdropTier: 'top1000',
    },
    quote: quoteOf([launch, devBuy(49_999_990), { item: 'airdrop', lamports: 2_160_000_000 }], {
      mode: 'reward',
      transferFee: { bps: 300 },
      devBuy: {
        tokens: 1_000_000,
        tokensRaw: '1000000000000000',
        netTokens: 970_000,
        netTokensRaw: '970000000000000',
        lamports: 49_999_990,
      },
      airdrop: {
        source: 'quote-holders',
        delivery: 'afterLaunch',
        tier: 'top1000',
        percent: 33.3,
        tokens: 333_000_000,
        tokensRaw: '333000000000000000',
        recipients: 1_000,
        feeLamports: 2_160_000_000,
        snapshotSlot: 77,
        recipientsHash: 'ab'.repeat(32),
      },
    }),
  },
  {
    what: 'a launch whose fees go to another wallet',
    wish: { ...wish, feeRecipient: launchWallet.toBase58() },
    quote: quoteOf([launch], { feeRecipient: launchWallet.toBase58() }),
  },
];

import type { Keypair } from '@solana/web3.js';
import {
  type Api,
  keypairSigner,
  launch,
  type LaunchOutcome,
  type LaunchQuote,
  type LaunchWish,
} from '../../client/index.ts';

/** A launch as its creator saw it. */
export interface DemoLaunch {
  readonly name: string;
  readonly mint: string;
  readonly pool: string;
  readonly feeKeyMints: readonly string[];
  readonly paymentSignature: string;
  /** Tokens the dev buy is to bring the creator, raw units; 0 without one. */
  readonly devBuyRaw: bigint;
  readonly quotedLamports: number;
  readonly openingMarketCapUsd: number;
  /** What the price is made of, lamports. */
  readonly costs: readonly { readonly step: string; readonly lamports: number }[];
  /** Wall time of each step in ms. */
  readonly prepareMs: number;
  readonly submitMs: number;
}

/** What the demo asks for. */
export type DemoWish = Omit<LaunchWish, 'creatorWallet'>;

/** More than either launch of the demo costs, dev buy included. */
const MAX_LAMPORTS = 2_000_000_000n;

/** Launches a token with the client that everybody can use: it looks at what it is to sign, signs once, and waits for the outcome. */
export async function launchToken(api: Api, creator: Keypair, token: DemoWish): Promise<DemoLaunch> {
  const started = performance.now();
  const prepared: { readonly quote: LaunchQuote; readonly ms: number }[] = [];
  const outcome = await launch({
    api,
    token,
    signer: keypairSigner(creator),
    maxLamports: MAX_LAMPORTS,
    onProgress: (progress) => {
      if (progress.step === 'prepared') prepared.push({ quote: progress.quote, ms: performance.now() - started });
    },
  });
  const { mint, pool, paymentSignature } = completed(outcome);
  const submitMs = performance.now() - started;
  const [asked] = prepared;
  if (!asked) throw new Error(`the launch of ${mint} was completed without a quote`);
  const { feeKeyMints } = await api.ask('GET /launches/{paymentSignature}', { path: { paymentSignature } });
  const { devBuy, payment, openingMarketCapUsd } = asked.quote;
  return {
    name: token.name,
    mint,
    pool,
    paymentSignature,
    feeKeyMints,
    openingMarketCapUsd,
    prepareMs: asked.ms,
    submitMs: submitMs - asked.ms,
    devBuyRaw: BigInt(devBuy?.netTokensRaw ?? devBuy?.tokensRaw ?? 0),
    costs: payment.items.map(({ item, lamports }) => ({ step: item, lamports })),
    quotedLamports: payment.lamports,
  };
}

function completed(outcome: LaunchOutcome) {
  if (outcome.status !== 'completed' || outcome.pool === undefined) {
    throw new Error(`the launch ended as ${JSON.stringify(outcome)}`);
  }
  return { ...outcome, pool: outcome.pool };
}

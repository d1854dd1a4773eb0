import type { Keypair } from '@solana/web3.js';
import {
  type Api,
  keypairSigner,
  launch,
  type LaunchOutcome,
  type LaunchQuote,
  type LaunchWish,
} from '../../client/index.ts';

export interface DemoLaunch {
  readonly name: string;
  readonly mint: string;
  readonly pool: string;
  readonly feeKeyMints: readonly string[];
  readonly paymentSignature: string;
  readonly devBuyRaw: bigint;
  readonly quotedLamports: number;
  readonly openingMarketCapUsd: number;
  readonly costs: readonly { readonly step: string; readonly lamports: number }[];
  /** ms. */
  readonly prepareMs: number;
  readonly submitMs: number;
}

export type DemoWish = Omit<LaunchWish, 'creatorWallet'>;

/** More than either demo launch costs. */
const MAX_LAMPORTS = 2_000_000_000n;

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
  const { feeKeyMints = [] } = await api.ask('GET /launches/{paymentSignature}', { path: { paymentSignature } });
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

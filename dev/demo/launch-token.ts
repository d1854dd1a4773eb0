import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import type { ApiClient, LaunchWish } from './api-client.ts';
import { checkBeforeSigning } from './check-before-signing.ts';

/** A launch as its creator saw it. */
export interface DemoLaunch {
  readonly name: string;
  readonly mint: string;
  readonly pool: string;
  readonly feeKeyMints: readonly [string, string];
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

const POLL_MS = 500;
const GIVE_UP_MS = 120_000;

/** Launches a token the way any client does: prepare, look at what is to be signed, sign locally, submit, poll. */
export async function launchToken(api: ApiClient, creator: Keypair, wish: LaunchWish): Promise<DemoLaunch> {
  const started = performance.now();
  const prepared = await api.prepare(wish);
  const prepareMs = performance.now() - started;
  const transaction = checkBeforeSigning(prepared.paymentTransaction, creator.publicKey, prepared.payment.lamports);
  transaction.sign([creator]);
  const signedTransaction = Buffer.from(transaction.serialize()).toString('base64');
  const { paymentSignature } = await api.submit({
    signedQuote: prepared.signedQuote,
    signedTransaction,
    logo: wish.logo,
  });
  const done = await untilCompleted(api, paymentSignature);
  return {
    name: wish.name,
    paymentSignature,
    ...done,
    prepareMs,
    devBuyRaw: BigInt(prepared.devBuy?.netTokensRaw ?? prepared.devBuy?.tokensRaw ?? 0),
    costs: prepared.payment.items.map(({ item, lamports }) => ({ step: item, lamports })),
    quotedLamports: prepared.payment.lamports,
    openingMarketCapUsd: prepared.openingMarketCapUsd,
    submitMs: performance.now() - started - prepareMs,
  };
}

/** `processing` means that the payment may have landed: the creator waits and never pays again. */
async function untilCompleted(api: ApiClient, paymentSignature: string) {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    const { status, mint, pool, feeKeyMints } = await api.status(paymentSignature);
    if (status === 'completed' && mint !== undefined && pool !== undefined) return { mint, pool, feeKeyMints };
    if (status === 'service_unavailable')
      throw new Error(`the launch of ${paymentSignature} did not land; nothing was charged`);
    if (Date.now() > deadline) throw new Error(`the launch of ${paymentSignature} is still ${status}`);
    await sleep(POLL_MS);
  }
}

import type { DetailedLaunch } from '../../db/launch/launch-details.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { feeModelOf, rewardTaxOf } from '../../domain/fee-models.ts';
import { OPENING_MARKET_CAP_USD } from '../../domain/token-facts.ts';
import { LAUNCHPAD } from '../answers/fields.ts';
import { toInteger, toNumber } from '../answers/numbers.ts';
import { airdropTermsAnswer } from './airdrop-answer.ts';
import { airdropFlagsAnswer } from './airdrop-flags.ts';
import { devBuyAnswer } from './dev-buy-answer.ts';
import type { LaunchAnswer, LaunchStatus, LedgerLaunch } from './launch.schema.ts';

export type LaunchFacts = Omit<LaunchStatus, 'status' | 'paymentSignature' | 'mint' | 'pool'>;

type LaunchCourse = Pick<LaunchFacts, 'states' | 'transactions'>;

export function launchRecord(detailed: DetailedLaunch): LaunchFacts {
  return { ...termsOf(detailed), ...courseOf(detailed) };
}

function termsOf({ launch, token }: DetailedLaunch): Omit<LaunchFacts, keyof LaunchCourse> {
  const { terms, quoteId, creator, name, symbol, quoteMint } = launch;
  const { fee } = terms;
  const tax = rewardTaxOf(fee);
  return {
    quoteId,
    name,
    symbol,
    creator,
    ...(terms.feeRecipient !== undefined && { feeRecipient: terms.feeRecipient }),
    launchpad: LAUNCHPAD,
    quote: { mint: quoteMint, symbol: terms.quoteToken.symbol },
    quoteMint,
    quoteSymbol: terms.quoteToken.symbol,
    ...fee,
    ...(tax !== null && { transferFee: { bps: tax } }),
    poolFeePercent: feeModelOf(fee).poolFeePercent,
    startMarketCapUsd: toNumber(terms.opening.marketCapUsd),
    targetMarketCapUsd: OPENING_MARKET_CAP_USD,
    payment: { lamports: toInteger(terms.payment.lamports) },
    devBuy: terms.devBuy && devBuyAnswer(terms.devBuy, fee),
    airdrop: terms.airdrop && airdropTermsAnswer(terms.airdrop),
    launchWallet: terms.addresses.launchWallet,
    // They exist with the token.
    ...(token && { feeKeyMints: [...terms.addresses.feeKeyMints] }),
  };
}

function courseOf({ history, transactions }: DetailedLaunch): LaunchCourse {
  return {
    states: history.map(({ state, at, slot }) => ({ state, at: at.toISOString(), slot: slotOf(slot) })),
    transactions: transactions.map(({ purpose, status, signature, slot }) => ({
      purpose,
      status,
      signature,
      slot: slotOf(slot),
    })),
  };
}

/** Null right after a fork removed the token. */
export function completedLaunch(detailed: DetailedLaunch): LaunchAnswer | null {
  const row = ledgerLaunch(detailed);
  return row && { ...row, ...courseOf(detailed) };
}

/** Null right after a fork removed the token. */
export function ledgerLaunch(detailed: DetailedLaunch): LedgerLaunch | null {
  const { launch, token } = detailed;
  const { paymentSignature, launchedAt } = known(launch);
  if (!token) return null;
  return {
    paymentSignature,
    status: 'completed',
    mint: launch.mint,
    pool: token.pool,
    logoUrl: token.logoUrl,
    createdAt: launchedAt.toISOString(),
    ...(token.hidden && { hidden: true as const }),
    ...termsOf(detailed),
    ...airdropFlagsAnswer(airdropOf(detailed)),
  };
}

function airdropOf({ launch, token }: DetailedLaunch) {
  const { airdrop } = launch.terms;
  return airdrop && { shareRaw: BigInt(airdrop.shareRaw), deliveredRaw: token?.airdropDeliveredRaw ?? 0n };
}

function known({ quoteId, paymentSignature, launchedAt }: LaunchRecord) {
  if (paymentSignature === null || launchedAt === null)
    throw new Error(`launch ${quoteId} is in the ledger unfinished`);
  return { paymentSignature, launchedAt };
}

function slotOf(slot: bigint | null): number | null {
  return slot === null ? null : toInteger(slot);
}

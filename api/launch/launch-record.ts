import type { DetailedLaunch } from '../../db/launch/launch-details.ts';
import type { LaunchRecord } from '../../db/launch/launch-records.ts';
import { formatUnits } from '../../domain/amounts.ts';
import { feeModelOf } from '../../domain/fee-models.ts';
import { TOKEN_DECIMALS } from '../../domain/token-facts.ts';
import { airdropTermsAnswer } from './airdrop-answer.ts';

/**
 * What is public of a launch beside its status: terms, states with times and slots, transactions. Token amounts are decimal
 * strings in whole tokens with a raw twin, lamports integers, times ISO 8601 UTC.
 */
export function launchRecord({ launch, history, transactions }: DetailedLaunch) {
  const { terms, quoteId, creator, name, symbol, quoteMint } = launch;
  return {
    quoteId,
    creator,
    name,
    symbol,
    quoteMint,
    quoteSymbol: terms.quoteToken.symbol,
    ...terms.fee,
    poolFeePercent: feeModelOf(terms.fee).poolFeePercent,
    launchedAt: launch.launchedAt?.toISOString() ?? null,
    payment: { lamports: Number(terms.payment.lamports) },
    devBuy: devBuyOf(launch),
    airdrop: terms.airdrop && airdropTermsAnswer(terms.airdrop),
    launchWallet: terms.addresses.launchWallet,
    feeKeyMints: terms.addresses.feeKeyMints,
    states: history.map(({ state, at, slot }) => ({ state, at: at.toISOString(), slot: toNumber(slot) })),
    transactions: transactions.map(({ purpose, status, signature, slot }) => ({
      purpose,
      status,
      signature,
      slot: toNumber(slot),
    })),
  };
}

/** A launch of the public ledger: its token is live. */
export function completedLaunch(detailed: DetailedLaunch) {
  const { launch } = detailed;
  return {
    paymentSignature: launch.paymentSignature,
    status: 'completed',
    mint: launch.mint,
    ...launchRecord(detailed),
  };
}

/** The target that was bought, gross and net of a transfer tax, and what the creator paid for it. */
function devBuyOf({ terms: { devBuy } }: LaunchRecord) {
  if (!devBuy) return null;
  return {
    tokens: formatUnits(BigInt(devBuy.tokensRaw), TOKEN_DECIMALS),
    tokensRaw: devBuy.tokensRaw,
    netTokens: formatUnits(BigInt(devBuy.netTokensRaw), TOKEN_DECIMALS),
    netTokensRaw: devBuy.netTokensRaw,
    lamports: Number(devBuy.lamports),
  };
}

function toNumber(slot: bigint | null): number | null {
  return slot === null ? null : Number(slot);
}

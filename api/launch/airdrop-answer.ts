import { formatUnits } from '../../domain/amounts.ts';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';

/** Digits after the point of a share in percent: one raw unit of the supply is the sixteenth. */
const PERCENT_DECIMALS = String(TOTAL_SUPPLY_RAW / 100n).length - 1;

/** An airdrop as it was agreed: share of the supply, how many wallets of which tier, and what the creator pays for the delivery. */
export function airdropTermsAnswer({ source, tier, shareRaw, recipients, feeLamports, snapshotSlot }: AirdropTerms) {
  return {
    source,
    tier,
    percent: Number(formatUnits(BigInt(shareRaw), PERCENT_DECIMALS)),
    tokens: formatUnits(BigInt(shareRaw), TOKEN_DECIMALS),
    tokensRaw: shareRaw,
    recipients,
    feeLamports: Number(feeLamports),
    snapshotSlot,
  };
}

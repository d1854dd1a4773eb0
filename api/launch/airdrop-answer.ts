import type { Static } from 'typebox';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import { toInteger, toTokens } from '../answers/numbers.ts';
import type { AirdropTermsSchema } from './launch.schema.ts';

/** Digits after the point of a share in percent: one raw unit of the supply is the sixteenth. */
const PERCENT_DECIMALS = String(TOTAL_SUPPLY_RAW / 100n).length - 1;

/** An airdrop as it was agreed: share of the supply, how many wallets of which tier, and what the creator pays for the delivery. */
export function airdropTermsAnswer(airdrop: AirdropTerms): Static<typeof AirdropTermsSchema> {
  const { source, tier, shareRaw, recipients, feeLamports, snapshotSlot } = airdrop;
  return {
    source,
    tier,
    percent: toTokens(BigInt(shareRaw), PERCENT_DECIMALS),
    tokens: toTokens(BigInt(shareRaw), TOKEN_DECIMALS),
    tokensRaw: shareRaw,
    recipients,
    feeLamports: toInteger(feeLamports),
    snapshotSlot,
  };
}

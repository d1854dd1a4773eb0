import type { Static } from 'typebox';
import { TOKEN_DECIMALS, TOTAL_SUPPLY_RAW } from '../../domain/token-facts.ts';
import type { AirdropTerms } from '../../domain/launch/terms.ts';
import { toInteger, toTokens } from '../answers/numbers.ts';
import type { AirdropTermsSchema } from './launch.schema.ts';

/** Decimals of a supply's percentage, down to one raw unit. */
const PERCENT_DECIMALS = String(TOTAL_SUPPLY_RAW / 100n).length - 1;

export function airdropTermsAnswer(airdrop: AirdropTerms): Static<typeof AirdropTermsSchema> {
  const { source, tier, shareRaw, recipients, feeLamports, snapshotSlot, recipientsHash } = airdrop;
  return {
    source,
    tier,
    percent: toTokens(BigInt(shareRaw), PERCENT_DECIMALS),
    tokens: toTokens(BigInt(shareRaw), TOKEN_DECIMALS),
    tokensRaw: shareRaw,
    recipients,
    feeLamports: toInteger(feeLamports),
    delivery: 'afterLaunch',
    snapshotSlot,
    recipientsHash,
  };
}

import type { Static } from 'typebox';
import { type FeeMode, IS_TAXED } from '../../domain/fee-models.ts';
import { TOKEN_DECIMALS } from '../../domain/token-facts.ts';
import type { DevBuyTerms } from '../../domain/launch/terms.ts';
import { toInteger, toTokens } from '../answers/numbers.ts';
import type { DevBuySchema } from './launch.schema.ts';

export function devBuyAnswer(
  { tokensRaw, netTokensRaw, lamports }: DevBuyTerms,
  { mode }: FeeMode,
): Static<typeof DevBuySchema> {
  const tokens = (raw: string) => toTokens(BigInt(raw), TOKEN_DECIMALS);
  return {
    tokens: tokens(tokensRaw),
    tokensRaw,
    lamports: toInteger(lamports),
    ...(IS_TAXED[mode] && { netTokens: tokens(netTokensRaw), netTokensRaw }),
  };
}

import { PublicKey } from '@solana/web3.js';
import type { SweptPosition } from '../../db/fee-sweep/fee-positions.ts';
import type { FeeSweepDeps } from './deps.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface SweptTokens {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
}

/** Throws when a mint is not on the chain. */
export async function tokensOf(
  { rpc }: Pick<FeeSweepDeps, 'rpc'>,
  { mint, quoteMint }: SweptPosition,
): Promise<SweptTokens> {
  const [base, quote] = await rpc.agreedTokens([new PublicKey(mint), new PublicKey(quoteMint)]);
  if (!base || !quote) throw new Error(`mint ${base ? quoteMint : mint} is not on the chain`);
  return { base, quote };
}

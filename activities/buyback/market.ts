import { PublicKey } from '@solana/web3.js';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import type { BuybackRound } from '../../db/buyback/buyback-rounds.ts';
import * as tokens from '../../db/tokens.ts';
import type { BuybackDeps } from './deps.ts';
import type { TokenInfo } from '../../chain/tokens/token.ts';

export interface BuybackMarket {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly pool: PublicKey;
  readonly account: PublicKey;
  readonly createdSlot: bigint;
}

/** Throws if the token is unknown or trades for another quote token than planned. */
export async function readMarket(deps: BuybackDeps, { mint, quoteMint }: BuybackRound): Promise<BuybackMarket> {
  const token = await tokens.byMint(deps.db, mint);
  if (token?.quoteMint !== quoteMint) throw new Error(`${mint} is no token here that trades for ${quoteMint}`);
  const [base, quote] = await deps.rpc.agreedTokens([new PublicKey(mint), new PublicKey(quoteMint)]);
  if (!base || !quote) throw new Error(`${base ? quoteMint : mint} is not on the chain`);
  const account = tokenAccountOf(base, deps.signers.treasury.publicKey);
  return { base, quote, pool: new PublicKey(token.pool), account, createdSlot: token.createdSlot };
}

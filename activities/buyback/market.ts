import { PublicKey } from '@solana/web3.js';
import type { TokenInfo } from '../../chain/exchange/exchange.ts';
import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import type { BuybackRound } from '../../db/buyback/buyback-rounds.ts';
import * as tokens from '../../db/tokens.ts';
import type { BuybackDeps } from './deps.ts';

/** The market that a purchase is made on. */
export interface BuybackMarket {
  readonly base: TokenInfo;
  readonly quote: TokenInfo;
  readonly pool: PublicKey;
  /** Where what is bought lies until it is burned; its history has every movement of the purchase. */
  readonly account: PublicKey;
  /** Slot of the token's launch. */
  readonly createdSlot: bigint;
}

/** Reads a purchase's market. Throws where the token is not there, or trades for another one than was planned. */
export async function readMarket(deps: BuybackDeps, { mint, quoteMint }: BuybackRound): Promise<BuybackMarket> {
  const token = await tokens.byMint(deps.db, mint);
  if (token?.quoteMint !== quoteMint) throw new Error(`${mint} is no token here that trades for ${quoteMint}`);
  const [base, quote] = await deps.rpc.agreedTokens([new PublicKey(mint), new PublicKey(quoteMint)]);
  if (!base || !quote) throw new Error(`${base ? quoteMint : mint} is not on the chain`);
  const account = tokenAccountOf(base, deps.signers.treasury.publicKey);
  return { base, quote, pool: new PublicKey(token.pool), account, createdSlot: token.createdSlot };
}

import { Keypair } from '@solana/web3.js';
import * as pairs from '../../../db/pairs.ts';
import type { PairListing } from '../../../db/pairs.ts';
import type { Db } from '../../../db/connect.ts';

/** Lists a pair with a fresh mint; give what the test is about. */
export async function listPair(db: Db, given: Partial<PairListing> = {}): Promise<PairListing> {
  const listing: PairListing = {
    mint: Keypair.generate().publicKey.toBase58(),
    symbol: 'USDX',
    name: 'Dollar X',
    decimals: 6,
    tokenProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    category: 'stable',
    logoUrl: null,
    priceSource: 'fixed',
    priceSourceId: 'usdx',
    priceMaxAgeMs: 60_000,
    priceMaxConfidenceBps: 100,
    ...given,
  };
  await pairs.add(db, listing, { actor: 'test' });
  return listing;
}

import { SEED_PAIRS, type SeedPair } from '../../../dev/seed/local-pairs.ts';

/** The quote token of the local chain that has this symbol. Throws where none has. */
export function localPair(symbol: string): SeedPair {
  const pair = SEED_PAIRS.find((one) => one.symbol === symbol);
  if (!pair) throw new Error(`there is no local pair ${symbol}`);
  return pair;
}

import { randomUUID } from 'node:crypto';
import bs58 from 'bs58';
import { derivedSeed, type KeyContext, MINT_PURPOSE } from './derived-seed.ts';
import { privateKeyOf, publicKeyOf } from './ed25519.ts';

/** Input of a search for mint addresses; it can be sent to a thread. */
export interface MintSearchInput {
  /** 32 bytes of the launch seed. */
  readonly secret: Uint8Array;
  readonly context: KeyContext;
  /** Last letters of the address, base58. */
  readonly suffix: string;
}

/**
 * Draws quote ids until the mint of one ends in the suffix, or until `isOver`; then null. The launch's keys follow
 * from seed and quote id as those of every launch, so the id is all that is stored. Ids are random: a counter in a
 * database would go back with a restored backup, and give a second launch the addresses of the first.
 */
export function searchMint(
  { secret, context, suffix }: MintSearchInput,
  isOver: () => boolean,
  newQuoteId: () => string = randomUUID,
): string | null {
  while (!isOver()) {
    const quoteId = newQuoteId();
    const mint = publicKeyOf(privateKeyOf(derivedSeed(secret, context, MINT_PURPOSE, quoteId)));
    if (bs58.encode(mint).endsWith(suffix)) return quoteId;
  }
  return null;
}

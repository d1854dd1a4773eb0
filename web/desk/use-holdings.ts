import { type Asked, useAnswer } from '../api/use-answer.ts';
import { desk } from './desk.ts';
import type { Holdings } from './desk-client.ts';

const EVERY_MS = 5_000;

/** What a wallet holds on the local chain; nothing is known elsewhere, or of no wallet (an empty address). */
export function useHoldings(wallet: string): Asked<Holdings | null> {
  return useAnswer(['holdings', wallet], async () => (desk ? desk.holdings(wallet) : null), {
    everyMs: EVERY_MS,
    enabled: desk !== null && wallet !== '',
    keepsPrevious: false,
  });
}

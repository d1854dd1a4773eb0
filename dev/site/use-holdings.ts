import { type Asked, useAnswer } from '../../web/api/use-answer.ts';
import { desk } from './desk.ts';
import type { Holdings } from './desk-client.ts';

const EVERY_MS = 5_000;

export function useHoldings(wallet: string): Asked<Holdings> {
  return useAnswer(['holdings', wallet], () => desk.holdings(wallet), {
    everyMs: EVERY_MS,
    enabled: wallet !== '',
    keepsPrevious: false,
  });
}

import { useEffect, useState } from 'react';
import { useAnswer } from '../api/use-answer.ts';
import { desk } from './desk.ts';
import type { Order } from './trade.ts';

/** Somebody who types is not asked for at every letter. */
const PAUSE_MS = 300;
const EVERY_MS = 5_000;

/** What a trade would bring at the price of now, in whole tokens: what the desk would build of it. Null asks nothing. */
export function useEstimate(wallet: string, order: Order | null): string | undefined {
  const amount = usePaused(order?.amount ?? '');
  const wish = order !== null && order.amount === amount ? order : null;
  const { data } = useAnswer(
    ['estimate', wallet, wish],
    async () => (desk && wish ? await desk.swap({ wallet, ...wish }) : null),
    { everyMs: EVERY_MS, enabled: wish !== null && wallet !== '', keepsPrevious: false },
  );
  return wish === null ? undefined : data?.amountOut;
}

function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

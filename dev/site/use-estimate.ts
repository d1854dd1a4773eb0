import { useEffect, useState } from 'react';
import { useAnswer } from '../../web/api/use-answer.ts';
import { desk } from './desk.ts';
import type { Order } from './trade.ts';

const PAUSE_MS = 300;
const EVERY_MS = 5_000;

/** Estimates at the current price, whole tokens. Null asks nothing. */
export function useEstimate(wallet: string, order: Order | null): string | undefined {
  const amount = usePaused(order?.amount ?? '');
  const wish = order !== null && order.amount === amount ? order : null;
  const { data } = useAnswer(
    ['estimate', wallet, wish],
    async () => (wish ? await desk.swap({ wallet, ...wish }) : null),
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

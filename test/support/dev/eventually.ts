import { vi } from 'vitest';
import { WAIT_MS } from '../platform/eventually.ts';

/** Repeats the assertions every 50 ms until they hold. @throws the last failure when the limit of a wait is over */
export function eventually(assertions: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(assertions, { timeout: WAIT_MS, interval: 50 });
}

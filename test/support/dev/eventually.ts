import { vi } from 'vitest';

/** Repeats the assertions every 50 ms until they hold. @throws the last failure after ten minutes. */
export function eventually(assertions: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(assertions, { timeout: 600_000, interval: 50 });
}

import { vi } from 'vitest';

/** Repeats the assertions every 50 ms until they hold. @throws the last failure after ten minutes. */
export function eventually(assertions: () => void | Promise<void>, timeoutMs = 600_000): Promise<void> {
  return vi.waitFor(assertions, { timeout: timeoutMs, interval: 50 });
}

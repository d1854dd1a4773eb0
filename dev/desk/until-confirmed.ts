import { setTimeout as sleep } from 'node:timers/promises';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { AppError } from '../../domain/errors.ts';

const LIMIT_MS = 30_000;
const POLL_MS = 50;

/**
 * Callers read at `confirmed` next.
 *
 * @throws AppError `conflict` when it failed, `service_unavailable` after the timeout
 */
export async function untilConfirmed(rpc: Rpc, signature: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  while (Date.now() < deadline) {
    const [status] = await rpc.signatureStatuses([signature]);
    if (status && status.err !== null) {
      throw new AppError('conflict', `${signature} failed on the chain: ${JSON.stringify(status.err)}`);
    }
    if (status && status.commitment !== 'processed') return;
    await sleep(POLL_MS);
  }
  throw new AppError('service_unavailable', `${signature} is not confirmed after ${LIMIT_MS} ms`);
}

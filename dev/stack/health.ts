import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorTextWithCauses } from '../../domain/error-text.ts';

/** Resolves when the part answers as it should; otherwise rejects with what was wrong. Must settle soon after `signal` fires. */
export type HealthCheck = (signal: AbortSignal) => Promise<void>;

const CHECK_TIMEOUT_MS = 2_000;

/** Healthy when `url` answers 2xx. */
export function httpHealth(url: string): HealthCheck {
  return async (signal) => {
    const response = await fetch(url, { signal });
    const body = await response.text();
    if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${body.slice(0, 200)}`);
  };
}

/** Healthy when a TCP connection opens. */
export function tcpHealth(host: string, port: number): HealthCheck {
  return (signal) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, signal }, () => {
        socket.destroy();
        resolve();
      });
      socket.once('error', reject);
    });
}

/** Healthy when the JSON-RPC method `getHealth` answers `"ok"`. */
export function solanaRpcHealth(url: string): HealthCheck {
  return async (signal) => {
    const response = await fetch(url, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' }),
    });
    const answer: unknown = await response.json();
    const isOk = typeof answer === 'object' && answer !== null && 'result' in answer && answer.result === 'ok';
    if (!isOk) throw new Error(`getHealth at ${url} answered ${JSON.stringify(answer).slice(0, 200)}`);
  };
}

/** What `waitUntilHealthy` needs to know of a part. */
export type HealthWait = {
  readonly check: HealthCheck;
  readonly timeoutMs: number;
  /** Ends the wait early, for instance when the process died or the stack is being stopped. */
  readonly signal: AbortSignal;
};

/**
 * Repeats the check, each try limited to two seconds, until it passes.
 * @throws the last failure once `timeoutMs` are over, or the signal's reason when it fires.
 */
export async function waitUntilHealthy({ check, timeoutMs, signal }: HealthWait): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 250)) {
    signal.throwIfAborted();
    try {
      await check(AbortSignal.any([signal, AbortSignal.timeout(CHECK_TIMEOUT_MS)]));
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (Date.now() >= deadline) {
        throw new Error(`not healthy after ${timeoutMs} ms: ${errorTextWithCauses(error)}`, { cause: error });
      }
    }
    await sleep(pause);
  }
}

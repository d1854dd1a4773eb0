import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorTextWithCauses } from '../../domain/error-text.ts';
import { INSTANCE_HEADER } from '../../observe/instance-header.ts';

export type PartInstance = {
  readonly id: string;
  /** Also its process group's. */
  readonly pid: number;
};

/** Rejects if unhealthy, also if another process than `instance` answers. Must settle soon after `signal`. */
export type HealthCheck = (signal: AbortSignal, instance: PartInstance) => Promise<void>;

type AnyProgramCheck = (signal: AbortSignal) => Promise<void>;

const CHECK_TIMEOUT_MS = 2_000;

export function httpHealth(url: string): AnyProgramCheck {
  return async (signal) => {
    await okResponse(url, signal);
  };
}

async function okResponse(url: string, signal: AbortSignal): Promise<{ response: Response; body: string }> {
  const response = await fetch(url, { signal });
  const body = await response.text();
  if (!response.ok) throw new Error(`GET ${url} answered ${response.status}: ${body.slice(0, 200)}`);
  return { response, body };
}

function assertInstance(asked: string, response: Response, body: string, { id }: PartInstance): void {
  const told = response.headers.get(INSTANCE_HEADER);
  if (told === id) return;
  const server = response.headers.get('server') ?? 'not named';
  throw new Error(
    `${asked} was answered by another program, without the ${INSTANCE_HEADER} of this start: ${response.status}, server ${server}, body ${JSON.stringify(body.slice(0, 100))}`,
  );
}

export function ownHttpHealth(url: string): HealthCheck {
  return async (signal, instance) => {
    const { response, body } = await okResponse(url, signal);
    assertInstance(`GET ${url}`, response, body, instance);
  };
}

export function tcpHealth(host: string, port: number): AnyProgramCheck {
  return (signal) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, signal }, () => {
        socket.destroy();
        resolve();
      });
      socket.once('error', reject);
    });
}

export function solanaRpcHealth(url: string): HealthCheck {
  return async (signal, instance) => {
    const response = await fetch(url, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' }),
    });
    const body = await response.text();
    assertInstance(`getHealth at ${url}`, response, body, instance);
    const answer: unknown = JSON.parse(body);
    const isOk = typeof answer === 'object' && answer !== null && 'result' in answer && answer.result === 'ok';
    if (!isOk) throw new Error(`getHealth at ${url} answered ${body.slice(0, 200)}`);
  };
}

export type HealthWait = {
  readonly check: (signal: AbortSignal) => Promise<void>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * Waits; each check takes at most two seconds.
 *
 * @throws the last failure after `timeoutMs`, or the signal's reason
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

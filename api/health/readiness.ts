import { ReadOnlyDatabaseError } from '../../db/platform/refused-writes.ts';

/** Asks one dependency whether it can serve. Rejects when it cannot, and should stop when the signal aborts. */
export interface ReadinessProbe {
  readonly name: string;
  check(signal: AbortSignal): Promise<unknown>;
}

/** What a probe found. */
export type ProbeResult =
  | { readonly status: 'up'; readonly ms: number }
  | { readonly status: 'down'; readonly ms: number; readonly reason: string };

/** Runs all probes at once, each with its own timeout (ms). Never rejects: a dependency that is down is an answer. */
export async function runProbes(
  probes: readonly ReadinessProbe[],
  timeoutMs: number,
): Promise<Record<string, ProbeResult>> {
  const results = await Promise.all(
    probes.map(async (probe) => [probe.name, await runProbe(probe, timeoutMs)] as const),
  );
  return Object.fromEntries(results);
}

async function runProbe(probe: ReadinessProbe, timeoutMs: number): Promise<ProbeResult> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    await Promise.race([probe.check(signal), rejectOnAbort(signal)]);
    return { status: 'up', ms: ms() };
  } catch (error) {
    return { status: 'down', ms: ms(), reason: signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error) };
  }
}

/** It stays general: an error's text can hold addresses and credentials, and this answer is public. */
function reasonOf(error: unknown): string {
  return error instanceof ReadOnlyDatabaseError ? error.message : 'it refused';
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener(
      'abort',
      () => {
        reject(new Error('timed out'));
      },
      { once: true },
    );
  });
}

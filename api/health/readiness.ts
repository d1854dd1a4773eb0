import { ReadOnlyDatabaseError } from '../../db/platform/refused-writes.ts';
import { SchemaMismatchError } from '../../db/schema-gap.ts';

/** Rejects when the dependency cannot serve; should stop on the signal. */
export interface ReadinessProbe {
  readonly name: string;
  check(signal: AbortSignal): Promise<unknown>;
}

export type ProbeResult =
  | { readonly status: 'up'; readonly ms: number }
  | { readonly status: 'down'; readonly ms: number; readonly reason: string };

/** Runs all probes at once, each with its timeout (ms). Never rejects. */
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

/** Returns a general reason: error texts can contain credentials, and this response is public. */
function reasonOf(error: unknown): string {
  const isPublic = error instanceof ReadOnlyDatabaseError || error instanceof SchemaMismatchError;
  return isPublic ? error.message : 'it refused';
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

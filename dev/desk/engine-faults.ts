import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../domain/errors.ts';

export const EngineFaultSchema = Type.Object(
  {
    fault: Type.Enum(['none', 'drop', 'delay', 'duplicate', 'prefix', 'unknown-status', 'unreachable']),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    prefixLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  },
  { additionalProperties: false },
);

/**
 * Fault for the next `times` bundles, or until another is set. `prefixLength` under `prefix`, `delayMs` under `delay`.
 */
export type EngineFault = Static<typeof EngineFaultSchema>;

export interface EngineFaults {
  set(fault: EngineFault): Promise<EngineFault>;
}

const RefusalSchema = Type.Object({ error: Type.String() });

/** @throws AppError `service_unavailable` */
export function createEngineFaults(adminUrl: string, timeoutMs: number): EngineFaults {
  const url = new URL('/fault', adminUrl);
  return {
    async set(fault) {
      const response = await post(url, fault, timeoutMs);
      const answer: unknown = await response.json();
      if (response.ok) return Value.Parse(EngineFaultSchema, answer);
      throw new AppError('conflict', `the block engine refused the fault: ${reasonOf(answer)}`);
    },
  };
}

async function post(url: URL, fault: EngineFault, timeoutMs: number): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (cause) {
    throw new AppError('service_unavailable', 'the local block engine does not answer', {
      retryAfterSeconds: 1,
      cause,
    });
  }
}

function reasonOf(answer: unknown): string {
  return Value.Check(RefusalSchema, answer) ? answer.error : JSON.stringify(answer);
}

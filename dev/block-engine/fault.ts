import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

export const FAULTS = ['none', 'drop', 'delay', 'duplicate', 'prefix', 'unknown-status', 'unreachable'] as const;

/**
 * - `drop`: takes the bundle and forwards nothing; with `leastTipLamports` forwards bundles that tip as much.
 * - `delay`: forwards it `delayMs` later, default 2,000.
 * - `duplicate`: forwards it twice.
 * - `prefix`: lands only the first `prefixLength` transactions, default 1, one by one. With `once` a bundle with a
 *   transaction that was held back lands nothing.
 * - `unknown-status`: forwards it, answers with an error and reports no result.
 * - `unreachable`: cuts connections; with `times` it answers so many sends UNAVAILABLE instead.
 *
 * `times` counts bundles; without it the fault stays until another is set.
 */
export const FaultSchema = Type.Object(
  {
    fault: Type.Enum([...FAULTS]),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    prefixLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    once: Type.Optional(Type.Boolean()),
    leastTipLamports: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  },
  { additionalProperties: false },
);

export type Fault = Static<typeof FaultSchema>;

const FaultShape = Compile(FaultSchema);

/** Parses a fault from outside. Throws a TypeError that names the field. */
export function parseFault(value: unknown): Fault {
  if (FaultShape.Check(value)) return value;
  const [first] = FaultShape.Errors(value);
  throw new TypeError(`not a fault: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}

export interface FaultSwitch {
  set(fault: Fault): void;
  current(): Fault;
  take(): Fault;
}

const NONE: Fault = { fault: 'none' };

/** Starts without one. `onChange`: also at the end of a countdown. */
export function createFaultSwitch(onChange: (fault: Fault) => void): FaultSwitch {
  let current = NONE;
  const set = (fault: Fault) => {
    current = fault;
    onChange(fault);
  };
  return {
    set,
    current: () => current,
    take() {
      const fault = current;
      if (fault.times === 1) set(NONE);
      else if (fault.times !== undefined) set({ ...fault, times: fault.times - 1 });
      return fault;
    },
  };
}

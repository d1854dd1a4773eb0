import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';

/** What the local block engine can be told to do wrong. */
export const FAULTS = ['none', 'drop', 'delay', 'duplicate', 'prefix', 'unknown-status', 'unreachable'] as const;

/**
 * A fault for the bundles to come.
 *
 * `drop` takes the bundle and forwards nothing · `delay` forwards it `delayMs` later (default 2,000) · `duplicate` forwards it
 * twice · `prefix` lands only the first `prefixLength` transactions (default 1), one by one · `unknown-status` forwards it,
 * answers the send with an error and reports no result · `unreachable` cuts every connection and accepts none; with `times`
 * it answers that many sends UNAVAILABLE instead, since refused connections cannot be counted in bundles.
 *
 * `times` is the number of bundles it applies to; without it the fault stays until another is set.
 */
export const FaultSchema = Type.Object(
  {
    fault: Type.Enum([...FAULTS]),
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    prefixLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  },
  { additionalProperties: false },
);

export type Fault = Static<typeof FaultSchema>;

const FaultShape = Compile(FaultSchema);

/** Parses a fault from outside. Throws a TypeError that names the field and what is wrong with it. */
export function parseFault(value: unknown): Fault {
  if (FaultShape.Check(value)) return value;
  const [first] = FaultShape.Errors(value);
  throw new TypeError(`not a fault: ${first?.instancePath ?? ''} ${first?.message ?? ''}`);
}

/** The fault in force, counted down by the bundles it meets. */
export interface FaultSwitch {
  set(fault: Fault): void;
  current(): Fault;
  /** The fault for one bundle that just arrived. */
  take(): Fault;
}

const NONE: Fault = { fault: 'none' };

/** Starts without a fault. `onChange` hears of every change, also of the one when a countdown ends. */
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

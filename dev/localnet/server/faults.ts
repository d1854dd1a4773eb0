import { SLOTS_TO_FINALIZE } from '../ledger/ledger.ts';

/** `until` in Unix ms; null = until cleared. */
export interface Stall {
  readonly mode: 'hang' | 'error';
  readonly until: number | null;
}

export interface EndpointFaults {
  lag: number;
  /** Null = not frozen. */
  frozenAt: number | null;
  stall: Stall | null;
  historyFrom: number;
  drops: number;
}

export function noFaults(): EndpointFaults {
  return { lag: 0, frozenAt: null, stall: null, historyFrom: 0, drops: 0 };
}

/** Endpoint at `/` and `/rpc`. */
export const DEFAULT_ENDPOINT = 'default';

export class Faults {
  readonly #endpoints = new Map<string, EndpointFaults>([[DEFAULT_ENDPOINT, noFaults()]]);
  #everywhere: Partial<EndpointFaults> = {};

  of(endpoint: string): EndpointFaults {
    const known = this.#endpoints.get(endpoint);
    if (known) return known;
    const fresh = { ...noFaults(), ...this.#everywhere };
    this.#endpoints.set(endpoint, fresh);
    return fresh;
  }

  set(change: Partial<EndpointFaults>, endpoint?: string): void {
    if (endpoint !== undefined) {
      Object.assign(this.of(endpoint), change);
      return;
    }
    this.#everywhere = { ...this.#everywhere, ...change };
    for (const faults of this.#endpoints.values()) Object.assign(faults, change);
  }

  clear(endpoint?: string): void {
    this.set(noFaults(), endpoint);
  }

  pinViews(pins: Map<string, number>, slot: number): void {
    for (const [name, { frozenAt, lag }] of this.#endpoints) {
      if (frozenAt === null && lag === 0) pins.delete(name);
      // Finality is never further behind an endpoint's tip.
      else pins.set(name, (frozenAt ?? slot - lag) - SLOTS_TO_FINALIZE - 1);
    }
  }
}

import { SLOTS_TO_FINALIZE } from '../ledger/ledger.ts';

/** How an endpoint stalls: requests wait, or are answered with an error. `until` in Unix ms, null = until cleared. */
export interface Stall {
  readonly mode: 'hang' | 'error';
  readonly until: number | null;
}

/** What is wrong with one endpoint of the node. */
export interface EndpointFaults {
  /** Slots its answers are behind the chain. */
  lag: number;
  /** Slot its answers stay at while the chain goes on; null = not frozen. */
  frozenAt: number | null;
  stall: Stall | null;
  /** Oldest slot whose blocks, transactions and statuses it still has. */
  historyFrom: number;
  /** Transactions it still takes, answers with a signature for, and never passes on. */
  drops: number;
}

/** An endpoint with nothing wrong. */
export function noFaults(): EndpointFaults {
  return { lag: 0, frozenAt: null, stall: null, historyFrom: 0, drops: 0 };
}

/** Name of the endpoint at `/` and `/rpc`. */
export const DEFAULT_ENDPOINT = 'default';

/** The faults that are switched on, by endpoint name (`/rpc/b` is endpoint `b`). */
export class Faults {
  readonly #endpoints = new Map<string, EndpointFaults>([[DEFAULT_ENDPOINT, noFaults()]]);
  #everywhere: Partial<EndpointFaults> = {};

  /** Faults of an endpoint now. */
  of(endpoint: string): EndpointFaults {
    const known = this.#endpoints.get(endpoint);
    if (known) return known;
    const fresh = { ...noFaults(), ...this.#everywhere };
    this.#endpoints.set(endpoint, fresh);
    return fresh;
  }

  /** Switches faults on for one endpoint, or for every endpoint there is or will be. */
  set(change: Partial<EndpointFaults>, endpoint?: string): void {
    if (endpoint !== undefined) {
      Object.assign(this.of(endpoint), change);
      return;
    }
    this.#everywhere = { ...this.#everywhere, ...change };
    for (const faults of this.#endpoints.values()) Object.assign(faults, change);
  }

  /** Switches every fault off, of one endpoint or of all. */
  clear(endpoint?: string): void {
    this.set(noFaults(), endpoint);
  }

  /** Notes in `pins` which slots behind the open one endpoints still read, so that their versions are kept. */
  pinViews(pins: Map<string, number>, slot: number): void {
    for (const [name, { frozenAt, lag }] of this.#endpoints) {
      if (frozenAt === null && lag === 0) pins.delete(name);
      // No node reads finality further behind an endpoint's tip than this, however soon its slots are final.
      else pins.set(name, (frozenAt ?? slot - lag) - SLOTS_TO_FINALIZE - 1);
    }
  }
}

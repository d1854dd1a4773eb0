import { workflowInfo } from '@temporalio/workflow';

/** Most pools that are remembered between two looks; more than that, and the look at all pools finds them as soon. */
const MOST_WOKEN = 1_000;

/** Most pools of one look, so that it answers within moments. */
const POOLS_PER_LOOK = 100;

/** Looks of one run. A history of some thousand events is quick to replay; Temporal's own limit is 51,200. */
const LOOKS_PER_RUN = 500;

/** What a run of the market index keeps in mind. */
export class MarketBoard {
  readonly #woken: Set<string>;
  #looks = 0;
  #closed = false;

  /** @param woken pools that an earlier run was told of and did not look at any more */
  constructor(woken: readonly string[]) {
    this.#woken = new Set(woken);
  }

  wake(pools: readonly string[]): void {
    for (const pool of pools) if (this.#woken.size < MOST_WOKEN) this.#woken.add(pool);
  }

  get hasWoken(): boolean {
    return this.#woken.size > 0;
  }

  /** Takes some of the pools that were heard of. */
  takeWoken(): string[] {
    const taken = [...this.#woken].slice(0, POOLS_PER_LOOK);
    for (const pool of taken) this.#woken.delete(pool);
    return taken;
  }

  noteLook(): void {
    this.#looks++;
  }

  /** True when this run should hand over to the next. */
  isFull(): boolean {
    return this.#looks >= LOOKS_PER_RUN || workflowInfo().continueAsNewSuggested;
  }

  /** No further look is begun. */
  close(): void {
    this.#closed = true;
  }

  get isClosed(): boolean {
    return this.#closed;
  }
}

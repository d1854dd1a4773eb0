export interface SubscriptionRequest {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Smallest possible content, because only the notification matters. */
const NOTHING_OF_IT = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: 0 } } as const;

/** Subscriptions of one connection: one per pool, plus slots as a heartbeat. */
export class SubscriptionBook {
  readonly #send: (request: SubscriptionRequest) => void;
  /** Null until the response. */
  readonly #numbers = new Map<string, number | null>();
  readonly #poolsByNumber = new Map<number, string>();
  readonly #asked = new Map<number, string>();
  #lastId = 0;

  constructor(send: (request: SubscriptionRequest) => void) {
    this.#send = send;
  }

  update(pools: readonly string[]): void {
    if (this.#lastId === 0) this.#request('slotSubscribe', []);
    const wanted = new Set(pools);
    for (const pool of this.#numbers.keys()) if (!wanted.has(pool)) this.#giveUp(pool);
    for (const pool of wanted) {
      if (this.#numbers.has(pool)) continue;
      this.#numbers.set(pool, null);
      this.#asked.set(this.#request('accountSubscribe', [pool, NOTHING_OF_IT]), pool);
    }
  }

  noteAnswer(id: number, result: number | boolean): void {
    const pool = this.#asked.get(id);
    this.#asked.delete(id);
    if (pool === undefined || typeof result !== 'number') return;
    this.#numbers.set(pool, result);
    this.#poolsByNumber.set(result, pool);
  }

  poolOf(subscription: number): string | undefined {
    return this.#poolsByNumber.get(subscription);
  }

  #giveUp(pool: string): void {
    const number = this.#numbers.get(pool);
    // No number yet; the next update unsubscribes.
    if (number === null || number === undefined) return;
    this.#numbers.delete(pool);
    this.#poolsByNumber.delete(number);
    this.#request('accountUnsubscribe', [number]);
  }

  #request(method: string, params: readonly unknown[]): number {
    this.#send({ jsonrpc: '2.0', id: ++this.#lastId, method, params });
    return this.#lastId;
  }
}

export interface PlaceLimits {
  /** The most places that one client address holds. */
  readonly perClient: number;
  /** The most places that all clients of this process hold. */
  readonly inAll: number;
}

/** Places that clients hold for long: a bounded number in all, and a share for each. */
export class ClientPlaces {
  readonly #limits: PlaceLimits;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Returns the function that gives the place back, or what is used up. */
  take(client: string): (() => void) | keyof PlaceLimits {
    const { perClient, inAll } = this.#limits;
    const open = this.#open.get(client) ?? 0;
    if (open >= perClient) return 'perClient';
    if (this.#all >= inAll) return 'inAll';
    this.#open.set(client, open + 1);
    this.#all += 1;
    let isGiven = true;
    return () => {
      if (!isGiven) return;
      isGiven = false;
      this.#all -= 1;
      const left = (this.#open.get(client) ?? 1) - 1;
      if (left > 0) this.#open.set(client, left);
      else this.#open.delete(client);
    };
  }
}

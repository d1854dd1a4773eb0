import { AppError } from '../../domain/errors.ts';
import type { StreamLimits } from './stream-settings.ts';

export class StreamPlaces {
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Returns the function that gives the place back. @throws AppError `rate_limited` or `service_unavailable` */
  take(client: string): () => void {
    const { perClient, inAll } = this.#limits;
    const open = this.#open.get(client) ?? 0;
    if (open >= perClient) {
      const message = `${perClient} streams are open from this address; close one first`;
      throw new AppError('rate_limited', message, { retryAfterSeconds: 10 });
    }
    if (this.#all >= inAll) {
      const message = 'too many streams are open; read GET /events meanwhile';
      throw new AppError('service_unavailable', message, { retryAfterSeconds: 10 });
    }
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

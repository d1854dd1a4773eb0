import type { Db } from '../../db/connect.ts';
import * as endpoints from '../../db/events/webhook-endpoints.ts';
import type { WebhookEndpoint } from '../../db/events/webhook-endpoints.ts';
import type { EventPlace } from '../../domain/events/stored-event.ts';

/** Responses are recorded with the first one so long after the last record, ms: a killed worker repeats those since. */
const UNRECORDED_MS = 100;

/** How far a receiver took events. A record for each of them would take longer than its delivery. */
export class WebhookProgress {
  readonly #db: Db;
  readonly #now: () => Date;
  #endpoint: WebhookEndpoint;
  #taken: EventPlace;
  #recordedAt: number;

  constructor({ db, now }: { readonly db: Db; readonly now: () => Date }, endpoint: WebhookEndpoint) {
    this.#db = db;
    this.#now = now;
    this.#endpoint = endpoint;
    this.#taken = endpoint.place;
    this.#recordedAt = now().getTime();
  }

  /** As it is recorded. */
  get endpoint(): WebhookEndpoint {
    return this.#endpoint;
  }

  /** Notes that the receiver took the event at `place`. False if another cursor was set meanwhile, such as by a replay. */
  async take(place: EventPlace): Promise<boolean> {
    this.#taken = place;
    return this.#now().getTime() - this.#recordedAt < UNRECORDED_MS || this.record();
  }

  /** False if the endpoint is gone, or another cursor was set meanwhile. */
  async record(): Promise<boolean> {
    if (this.#taken === this.#endpoint.place) return true;
    const isMoved = await endpoints.taken(this.#db, this.#endpoint, this.#taken);
    this.#endpoint = { ...this.#endpoint, place: this.#taken, failures: 0 };
    this.#recordedAt = this.#now().getTime();
    return isMoved;
  }
}

import type { Logger } from 'pino';
import type { ChainStream, OpenStream, StreamEvent, StreamWanted } from '../../../../chain/stream/chain-stream.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A stream that lasted this long resets the pause before a reconnect, ms. */
const LONG_LIFE_MS = 30_000;

/** The one open stream of a source, which is opened again with growing pauses. */
export class Connection {
  readonly source: ChainStream;
  readonly #logger: Logger;
  readonly #now: () => number;
  #open: OpenStream | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #retryAt = 0;
  #updates = 0;

  /** @param now monotonic clock, ms */
  constructor(source: ChainStream, logger: Logger, now: () => number) {
    this.source = source;
    this.#logger = logger;
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  get isDue(): boolean {
    return this.#open === null && this.#now() >= this.#retryAt;
  }

  open(wanted: StreamWanted, from: number | null, receive: (event: StreamEvent) => void): void {
    const openedAt = this.#now();
    const open = this.source.open(wanted, from, (event) => {
      this.#updates++;
      receive(event);
    });
    this.#open = open;
    void open.ended.then((reason) => {
      this.#logger.warn({ err: reason, host: this.source.host }, 'the stream of the market ended');
      if (this.#now() - openedAt > LONG_LIFE_MS) this.#pauseMs = FIRST_PAUSE_MS;
      this.pause();
      if (this.#open === open) this.#open = null;
    });
  }

  change(wanted: StreamWanted): void {
    this.#open?.change(wanted);
  }

  close(): void {
    this.#open?.close();
  }

  pause(): void {
    this.#retryAt = this.#now() + this.#pauseMs;
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
  }

  /** Returns how many reports came since the last call. */
  takeUpdates(): number {
    const updates = this.#updates;
    this.#updates = 0;
    return updates;
  }
}

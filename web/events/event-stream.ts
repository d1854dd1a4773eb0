import { isRecord } from '../../client/http/shape.ts';

/** The fields by which reads and pages are chosen. */
export interface FollowedEvent {
  /** Such as `trade.final`. */
  readonly type: string;
  readonly mint: string | null;
  readonly wallet: string | null;
  readonly creator: string | null;
}

export interface SourceHandlers {
  readonly onOpen: () => void;
  readonly onMessage: (data: unknown, id: string) => void;
  /** `isRefused`: the source gave up. Else it connects again by itself, with the last id. */
  readonly onLost: (isRefused: boolean) => void;
}

/** Opens an `EventSource`, or a test's own. */
export type OpenSource = (url: string, handlers: SourceHandlers) => { close(): void };

/** Runs the work after so many ms; returns a cancel function. */
export type Later = (work: () => void, ms: number) => () => void;

export interface StreamParts {
  readonly open: OpenSource;
  readonly later: Later;
}

export interface StreamListener {
  /** False: the page has to poll. */
  readonly onLive: (isLive: boolean) => void;
  /** Null for an event of another release, which can concern everything. */
  readonly onEvent: (event: FollowedEvent | null) => void;
}

/** Before a refused stream is tried again, ms; doubles up to the longest. */
const [RETRY_MS, LONGEST_RETRY_MS] = [15_000, 300_000];

/** One connection to the platform's events. A refused one is tried again later; until then the page polls. */
export class EventStream {
  readonly #url: URL;
  readonly #parts: StreamParts;
  readonly #listener: StreamListener;
  #source: { close(): void } | null = null;
  /** Of the last event. */
  #cursor: string | null = null;
  #retryMs = RETRY_MS;
  #cancelRetry: () => void = () => undefined;

  constructor(url: URL, parts: StreamParts, listener: StreamListener) {
    this.#url = url;
    this.#parts = parts;
    this.#listener = listener;
  }

  /** Begins behind the last event, or with the next one. Does nothing while it is open. */
  start(): void {
    if (this.#source) return;
    this.#cancelRetry();
    const url = new URL(this.#url);
    url.searchParams.set('after', this.#cursor ?? 'now');
    const source = this.#parts.open(url.href, {
      onOpen: () => this.#onOpen(),
      onMessage: (data, id) => this.#onMessage(data, id),
      onLost: (isRefused) => this.#onLost(isRefused),
    });
    this.#source = source;
  }

  stop(): void {
    this.#cancelRetry();
    this.#source?.close();
    this.#source = null;
    this.#listener.onLive(false);
  }

  #onOpen(): void {
    this.#retryMs = RETRY_MS;
    this.#listener.onLive(true);
  }

  #onMessage(data: unknown, id: string): void {
    if (id !== '') this.#cursor = id;
    this.#listener.onEvent(eventIn(data));
  }

  #onLost(isRefused: boolean): void {
    if (!isRefused) return this.#listener.onLive(false);
    this.stop();
    // It may have been refused for its age.
    this.#cursor = null;
    this.#cancelRetry = this.#parts.later(() => this.start(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
  }
}

function eventIn(data: unknown): FollowedEvent | null {
  const event = typeof data === 'string' ? jsonIn(data) : undefined;
  if (!isRecord(event) || typeof event['type'] !== 'string') return null;
  const { type, mint, wallet, creator } = event;
  return { type, mint: textOrNull(mint), wallet: textOrNull(wallet), creator: textOrNull(creator) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Undefined for invalid JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

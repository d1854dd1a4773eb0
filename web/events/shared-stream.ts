import { type EventFilter, passes, queryOf, unionOf } from './event-filter.ts';
import { EventStream, type FollowedEvent, type StreamListener, type StreamParts } from './event-stream.ts';

/** A message from one page of a browser to the others. */
export type PageMessage =
  | { readonly kind: 'wanted'; readonly filter: EventFilter }
  | { readonly kind: 'opened' }
  | { readonly kind: 'live'; readonly isLive: boolean }
  | { readonly kind: 'event'; readonly event: FollowedEvent | null };

export interface SharingParts extends StreamParts {
  /** Calls back once this page is the one of its browser that may open the stream; returns how to give that up. */
  readonly awaitTurn: (onTurn: () => void) => () => void;
  /** The other pages of the browser. */
  readonly joinPages: (onMessage: (message: PageMessage) => void) => {
    readonly post: (message: PageMessage) => void;
    readonly leave: () => void;
  };
}

/**
 * Follows events by one stream for all visible pages of a browser, since an address has few streams. One page opens it
 * with a filter that fits all and passes its events on; when it is hidden or closed another one takes over.
 */
export class SharedStream {
  readonly #url: string;
  readonly #filter: EventFilter;
  readonly #parts: SharingParts;
  readonly #listener: StreamListener;
  #pages: ReturnType<SharingParts['joinPages']> | null = null;
  #giveUp: () => void = () => undefined;
  /** Null while another page has the turn. */
  #stream: EventStream | null = null;
  #isLive = false;
  #wanted: EventFilter;

  /** @param url of the stream, without a query */
  constructor(url: string, filter: EventFilter, parts: SharingParts, listener: StreamListener) {
    this.#url = url;
    this.#filter = filter;
    this.#wanted = filter;
    this.#parts = parts;
    this.#listener = listener;
  }

  /** Does nothing while it is started. */
  start(): void {
    if (this.#pages) return;
    this.#pages = this.#parts.joinPages((message) => this.#onMessage(message));
    this.#pages.post({ kind: 'wanted', filter: this.#filter });
    this.#giveUp = this.#parts.awaitTurn(() => this.#open());
  }

  stop(): void {
    this.#stream?.stop();
    this.#stream = null;
    this.#wanted = this.#filter;
    this.#giveUp();
    this.#pages?.leave();
    this.#pages = null;
    this.#listener.onLive(false);
  }

  #open(): void {
    // It was stopped in the moment of its turn.
    if (!this.#pages) return;
    this.#stream = new EventStream(new URL(`${this.#url}?${queryOf(this.#wanted)}`), this.#parts, {
      onLive: (isLive) => this.#tellLive(isLive),
      onEvent: (event) => this.#tellEvent(event),
    });
    this.#pages.post({ kind: 'opened' });
    this.#stream.start();
  }

  #tellLive(isLive: boolean): void {
    this.#isLive = isLive;
    this.#pages?.post({ kind: 'live', isLive });
    this.#listener.onLive(isLive);
  }

  #tellEvent(event: FollowedEvent | null): void {
    this.#pages?.post({ kind: 'event', event });
    if (passes(event, this.#filter)) this.#listener.onEvent(event);
  }

  #onMessage(message: PageMessage): void {
    if (this.#stream) {
      if (message.kind === 'wanted') this.#widen(message.filter);
      return;
    }
    if (message.kind === 'opened') this.#pages?.post({ kind: 'wanted', filter: this.#filter });
    if (message.kind === 'live') this.#listener.onLive(message.isLive);
    if (message.kind === 'event' && passes(message.event, this.#filter)) this.#listener.onEvent(message.event);
  }

  /** Opens the stream again where another page wants more than it has. */
  #widen(filter: EventFilter): void {
    const wanted = unionOf([this.#wanted, filter]);
    if (queryOf(wanted) === queryOf(this.#wanted)) return this.#tellLive(this.#isLive);
    this.#wanted = wanted;
    this.#stream?.stop();
    this.#open();
  }
}

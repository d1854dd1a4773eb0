import type { ChainStream, OpenStream, StreamEvent, StreamWanted } from '../../../chain/stream/chain-stream.ts';

type Receive = (event: StreamEvent) => void;

/** A stream that keeps back and invents what a test wants it to. */
export class DoubtfulStream implements ChainStream {
  readonly #stream: ChainStream;
  #receive: Receive | null = null;
  #kept: StreamEvent[] | null = null;
  /** What is told in place of an event. */
  twist: (event: StreamEvent) => StreamEvent = (event) => event;
  /** The oldest slot that it says it can begin with; default: the stream's. */
  first: (() => Promise<number>) | null = null;

  constructor(stream: ChainStream) {
    this.#stream = stream;
  }

  get host(): string {
    return this.#stream.host;
  }

  firstAvailable(): Promise<number | null> {
    return this.first === null ? this.#stream.firstAvailable() : this.first();
  }

  open(wanted: StreamWanted, fromSlot: number | null, receive: Receive): OpenStream {
    this.#receive = receive;
    return this.#stream.open(wanted, fromSlot, (told) => {
      const event = this.twist(told);
      if (this.#kept === null) receive(event);
      else this.#kept.push(event);
    });
  }

  close(): void {
    this.#stream.close();
  }

  /** Tells nothing until it is released. */
  keep(): void {
    this.#kept = [];
  }

  /** Whether a slot is among what is kept. */
  keeps(slot: number): boolean {
    return this.#kept?.some((event) => event.kind === 'slot' && event.slot === slot) ?? false;
  }

  /** Tells of slots up to this one, and keeps the rest. */
  releaseUpTo(slot: number): void {
    const kept = this.#kept ?? [];
    const isTold = (event: StreamEvent): boolean => event.kind !== 'unreadable' && event.slot <= slot;
    this.#kept = kept.filter((event) => !isTold(event));
    for (const event of kept.filter(isTold)) this.#receive?.(event);
  }

  /** Tells everything that was kept, and keeps nothing more. */
  release(): void {
    const kept = this.#kept ?? [];
    this.#kept = null;
    for (const event of kept) this.#receive?.(event);
  }

  /** Tells of something that did not happen. */
  invent(event: StreamEvent): void {
    this.#receive?.(event);
  }
}

/** A stream that can be opened, and tells nothing for ever. */
export const MUTE_STREAM: ChainStream = {
  host: 'mute',
  firstAvailable: () => Promise.resolve(0),
  open: () => ({ change: () => undefined, ended: new Promise(() => undefined), close: () => undefined }),
  close: () => undefined,
};

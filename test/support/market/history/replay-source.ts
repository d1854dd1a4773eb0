import type { ChainStream, OpenStream, StreamEvent, StreamWanted } from '../../../../chain/stream/chain-stream.ts';
import type { RecordedChain } from './recorded-chain.ts';

/** The source of a recorded chain: reports block by block, and again from a slot while it keeps them. */
export class ReplaySource implements ChainStream {
  readonly host = 'replay';
  readonly #chain: RecordedChain;
  #receive: ((event: StreamEvent) => void) | null = null;
  #end: (reason: Error) => void = () => undefined;
  #first = 0;

  constructor(chain: RecordedChain) {
    this.#chain = chain;
  }

  firstAvailable(): Promise<number> {
    return Promise.resolve(this.#first);
  }

  open(_wanted: StreamWanted, from: number | null, receive: (event: StreamEvent) => void): OpenStream {
    const { promise, resolve } = Promise.withResolvers<Error>();
    const close = (): void => {
      if (this.#receive === receive) this.#receive = null;
      resolve(new Error('the source was closed'));
    };
    [this.#receive, this.#end] = [receive, resolve];
    const kept = from === null ? [] : this.#chain.blocks.filter(({ slot }) => slot >= from);
    for (const block of kept) for (const event of this.#chain.eventsOf(block)) receive(event);
    return { change: () => undefined, ended: promise, close };
  }

  close(): void {
    this.cut();
  }

  report(events: readonly StreamEvent[]): void {
    for (const event of events) this.#receive?.(event);
  }

  cut(): void {
    this.#receive = null;
    this.#end(new Error('the source was cut'));
  }

  /** Cuts the source; what happened up to now is never reported again. */
  forget(): void {
    this.cut();
    this.#first = this.#chain.tip.slot + 1;
  }
}

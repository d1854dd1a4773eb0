import type { FollowedEvent, Later } from './event-stream.ts';

export interface Trigger {
  /** First words of event types, as `trade`. */
  readonly subjects: readonly string[];
  /** Default: of any token. */
  readonly mint?: string;
}

/** Whether an event changes what a read answers; null (unknown) may. */
export function isConcerned({ subjects, mint }: Trigger, event: FollowedEvent | null): boolean {
  if (event === null) return true;
  const [subject = ''] = event.type.split('.');
  return subjects.includes(subject) && (mint === undefined || mint === event.mint);
}

/** Longest wait between an event and its read: the viewers of a coin must not all read in the same instant, ms. */
const SPREAD_MS = 1_000;

/**
 * Reads after events, at most once in `everyMs`: within a second, and again `everyMs` after the last event, as a cache
 * of the platform can be some seconds behind its events.
 */
export class PacedReads {
  readonly #read: () => void;
  readonly #everyMs: number;
  readonly #later: Later;
  readonly #random: () => number;
  #due = 0;
  /** Null while a read may begin. */
  #cancelPause: (() => void) | null = null;

  /** @param random from 0 to 1 */
  constructor(read: () => void, everyMs: number, later: Later, random: () => number = Math.random) {
    this.#read = read;
    this.#everyMs = everyMs;
    this.#later = later;
    this.#random = random;
  }

  onEvent(): void {
    this.#due = 2;
    if (this.#cancelPause === null) this.#pause(this.#random() * SPREAD_MS);
  }

  /** Reads once more: facts between the last read and the stream's beginning have no event. */
  onLive(): void {
    this.#due = Math.max(this.#due, 1);
    if (this.#cancelPause === null) this.#pause(this.#everyMs);
  }

  stop(): void {
    this.#cancelPause?.();
    this.#cancelPause = null;
    this.#due = 0;
  }

  #readOne(): void {
    this.#due -= 1;
    this.#pause(this.#everyMs);
    this.#read();
  }

  #pause(ms: number): void {
    this.#cancelPause = this.#later(() => {
      this.#cancelPause = null;
      if (this.#due > 0) this.#readOne();
    }, ms);
  }
}

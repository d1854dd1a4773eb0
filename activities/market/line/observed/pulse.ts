import { SHORTEST_SLOT_MS } from '../../../../chain/rpc/reached-slot.ts';

export interface Pulse {
  /** -1 before the first block. */
  readonly tip: number;
  /** Block time of `tip`, Unix ms; null if unknown. */
  readonly madeAt: number | null;
  /** Monotonic ms. */
  readonly toldAt: number;
  /** -1 before the first. */
  readonly finalized: number;
}

/** RPC's finalized slot; `at` is monotonic ms. */
export interface SaidFinal {
  readonly slot: number;
  readonly at: number;
}

/** A moment by wall clock and by monotonic clock. */
export interface Moment {
  readonly unixMs: number;
  readonly now: number;
}

/** Maximum delay of blocks and of finality (normally 32 slots) of a prompt stream, ms. */
const PROMPT_MS = 8_000;
const MOST_SLOTS_TO_FINALITY = 64;
/** Longest time per slot, ms; normally 400. Slower finality makes RPC check the stream. */
const LONGEST_SLOT_MS = 500;
/** Slack between stream and RPC, in slots (13 s). */
const SLACK_SLOTS = 32;

export function isPrompt({ tip, madeAt, finalized }: Pulse, unixMs: number): boolean {
  return madeAt !== null && unixMs - madeAt < PROMPT_MS && finalized >= tip - MOST_SLOTS_TO_FINALITY;
}

/**
 * True if the stream is prompt by both clocks, and its finality has advanced since RPC's last response as fast as a
 * chain does. Decides only whether RPC must be asked.
 */
export function isSelfConsistent(pulse: Pulse, said: SaidFinal, { unixMs, now }: Moment): boolean {
  const { tip, madeAt, toldAt, finalized } = pulse;
  const isNew = isPrompt(pulse, unixMs) && now - toldAt < PROMPT_MS;
  // A future block means a wrong clock.
  const isPast = madeAt !== null && madeAt - unixMs < PROMPT_MS && finalized <= tip;
  const [slots, passed] = [finalized - said.slot, now - said.at];
  const isSlow = slots < passed / LONGEST_SLOT_MS - SLACK_SLOTS;
  const isFast = slots > passed / SHORTEST_SLOT_MS + SLACK_SLOTS;
  return isNew && isPast && !isSlow && !isFast;
}

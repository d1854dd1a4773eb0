import { SHORTEST_SLOT_MS } from '../../../chain/rpc/reached-slot.ts';

/** How far a stream has come, and when. */
export interface Pulse {
  /** The newest block that was told of; -1 before one was. */
  readonly tip: number;
  /** When that block was made, Unix time in ms; null where nobody said. */
  readonly madeAt: number | null;
  /** When it was told of, ms of a clock that only goes on. */
  readonly toldAt: number;
  /** The newest slot that was told to be final; -1 before one was. */
  readonly finalized: number;
}

/** How far the chain was final by RPC's word, and when that was said, ms of the same clock. */
export interface SaidFinal {
  readonly slot: number;
  readonly at: number;
}

/** The present, by the machine's clock (Unix, ms) and by one that only goes on (ms). */
export interface Moment {
  readonly unixMs: number;
  readonly now: number;
}

/** A stream is prompt that tells of blocks so soon, ms, and of finality within so many slots, which takes 32. */
const PROMPT_MS = 8_000;
const MOST_SLOTS_TO_FINALITY = 64;
/** A chain's slots take 400 ms, and a stream that takes longer has RPC asked whether it is the chain. */
const LONGEST_SLOT_MS = 500;
/** Stream and RPC come to a slot within so many slots of each other, which are 13 s. */
const SLACK_SLOTS = 32;

/** Whether its newest block is a new one at a time (Unix, ms), and what is final was told about as far as that. */
export function isPrompt({ tip, madeAt, finalized }: Pulse, unixMs: number): boolean {
  return madeAt !== null && unixMs - madeAt < PROMPT_MS && finalized >= tip - MOST_SLOTS_TO_FINALITY;
}

/**
 * Whether a stream shows by itself that it neither lags nor runs ahead: it is prompt by both clocks, and what it says is final went on
 * from RPC's last word at the pace of a chain. It says nothing of what is final, only that nobody need be asked now.
 */
export function speaksForItself(pulse: Pulse, said: SaidFinal, { unixMs, now }: Moment): boolean {
  const { tip, madeAt, toldAt, finalized } = pulse;
  const isNew = isPrompt(pulse, unixMs) && now - toldAt < PROMPT_MS;
  // A block out of the future: one of the clocks is wrong.
  const isPast = madeAt !== null && madeAt - unixMs < PROMPT_MS && finalized <= tip;
  const [slots, passed] = [finalized - said.slot, now - said.at];
  const isSlow = slots < passed / LONGEST_SLOT_MS - SLACK_SLOTS;
  const isFast = slots > passed / SHORTEST_SLOT_MS + SLACK_SLOTS;
  return isNew && isPast && !isSlow && !isFast;
}

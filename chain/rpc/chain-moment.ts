import { differenceText, MOST_CLOCK_DIFFERENCE_MS } from '../../domain/clock.ts';
import type { FinalMoment } from './final-moment.ts';
import { RpcUnavailableError } from './json-rpc.ts';
import type { Rpc } from './rpc.ts';

export interface TimeDeps {
  readonly rpc: Pick<Rpc, 'finalMoment'>;
  readonly now: () => Date;
}

/** This machine's clock and the chain's differ by more than a minute: then neither says what is recent. */
export class ClocksDifferError extends Error {
  constructor(differenceMs: number) {
    super(`the clock of this machine ${differenceText(differenceMs)} the newest final block of a quorum`);
    this.name = 'ClocksDifferError';
  }
}

/**
 * The newest final block of a quorum: what is paid is judged at its time. Throws a ClocksDifferError; an
 * RpcUnavailableError without a quorum.
 */
export async function chainMoment({ rpc, now }: TimeDeps): Promise<FinalMoment> {
  const moment = await rpc.finalMoment();
  const differenceMs = now().getTime() - moment.at.getTime();
  if (Math.abs(differenceMs) > MOST_CLOCK_DIFFERENCE_MS) throw new ClocksDifferError(differenceMs);
  return moment;
}

/** How long an answer counts, ms. */
const KEPT_MS = 10_000;

/** Says why this machine's clock cannot judge how old a price is; null if it can. Asks at most once in ten seconds. */
export function createClockCheck(deps: TimeDeps): () => Promise<string | null> {
  let kept = { at: Number.NEGATIVE_INFINITY, problem: Promise.resolve<string | null>(null) };
  return () => {
    const at = performance.now();
    if (at - kept.at >= KEPT_MS) kept = { at, problem: clockProblem(deps) };
    return kept.problem;
  };
}

async function clockProblem(deps: TimeDeps): Promise<string | null> {
  try {
    await chainMoment(deps);
    return null;
  } catch (error) {
    if (error instanceof ClocksDifferError || error instanceof RpcUnavailableError) return error.message;
    throw error;
  }
}

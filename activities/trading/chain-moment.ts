import type { FinalMoment } from '../../chain/rpc/final-moment.ts';
import type { Rpc } from '../../chain/rpc/rpc.ts';
import { differenceText, MOST_CLOCK_DIFFERENCE_MS } from '../../domain/clock.ts';

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

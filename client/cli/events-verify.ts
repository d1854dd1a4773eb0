import type { SlipwayEvent } from '../index.ts';
import { createEventVerifier, exitCodeOfEvents, type VerifiedEvent } from '../verify/event/verify-events.ts';
import { print, say } from './say.ts';
import { chainOf, linesOf, UNPROVABLE } from './verifying.ts';

interface JudgeOptions {
  readonly rpc?: readonly string[];
  readonly allowHttp?: true;
  readonly json?: true;
}

/** Prints events with what the chain says about each. */
export interface EventJudge {
  print(events: readonly SlipwayEvent[]): Promise<void>;
  /** Prints the summary to stderr and sets the exit code. */
  end(): void;
}

/** Throws without an endpoint. Until its end the exit code is that of something unproven. */
export function createEventJudge({ rpc = [], json, allowHttp }: JudgeOptions): EventJudge {
  process.exitCode = UNPROVABLE;
  if (rpc.length === 0) throw new Error('--verify needs --rpc, an RPC endpoint of your own choice');
  const chain = chainOf({ rpc, ...(allowHttp && { allowHttp }) });
  const verifier = createEventVerifier(chain);
  return {
    async print(events) {
      for (const { event, check } of await verifier.verify(events)) {
        print({ ...event, check }, json === true, verifiedLines({ event, check }));
      }
    },
    end() {
      const { proven, different, open, unchecked } = verifier.tally;
      const sums = `proven ${proven}, different ${different}, open ${open}; ${unchecked} name no transaction`;
      say(`${sums}; ${chain.calls} calls to ${chain.name}`);
      process.exitCode = exitCodeOfEvents(verifier.tally);
    },
  };
}

export function lineOf({ recordedAt, type, mint, wallet }: SlipwayEvent): string {
  return [recordedAt, type.padEnd(21), mint ?? '', wallet ?? ''].join('  ').trimEnd();
}

function verifiedLines({ event, check }: VerifiedEvent): string[] {
  if (check === null) return [`     ${lineOf(event)}`];
  const [line = '', ...values] = linesOf({ ...check, name: '' });
  return [`${line.slice(0, 4)} ${lineOf(event)}`, `       ${check.how}`, ...values];
}

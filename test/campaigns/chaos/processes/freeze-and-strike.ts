import { atTheMoment } from '../../../support/platform/eventually.ts';
import type { RealStack } from './real-stack.ts';

/** What happens at a moment, while the worker stands still; it goes on afterwards unless it was killed. */
export interface Strike {
  readonly act: (stack: RealStack) => Promise<void>;
  readonly endsWorker: boolean;
}

/** `kill -9` of one part. */
export function killOf(part: string): Strike {
  return { act: (stack) => stack.kill(part), endsWorker: part === 'worker' };
}

/** The moment of a strike. */
export interface Moment {
  /** What comes, in words. */
  readonly what: string;
  readonly hasCome: () => Promise<boolean>;
  /** Lets go of what holds it up. */
  readonly disarm: (() => Promise<void>) | undefined;
}

/** Strikes at a moment. The worker stands still from then on until the strike, so that nothing passes it. Answers what `look` saw meanwhile. */
export async function freezeAndStrike<Seen>(
  stack: RealStack,
  { what, hasCome, disarm }: Moment,
  { act, endsWorker }: Strike,
  look: () => Promise<Seen>,
): Promise<Seen> {
  const worker = stack.pidOf('worker');
  let seen: Seen;
  let struck: Promise<void>;
  try {
    await atTheMoment(hasCome, what);
    process.kill(worker, 'SIGSTOP');
    seen = await look();
    struck = act(stack);
    if (!endsWorker) process.kill(worker, 'SIGCONT');
  } finally {
    // What comes in the place of what was struck may have to do at its start what the moment forbids.
    await disarm?.();
  }
  await struck;
  return seen;
}

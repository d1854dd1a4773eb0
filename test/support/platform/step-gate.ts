import { CancelledFailure, Context } from '@temporalio/activity';

/** A step that is held: it was called and does not go on before `release`. */
export interface HeldStep {
  /** Resolves with the quote id once the step was called. */
  readonly reached: Promise<string>;
  release(): void;
}

/** What tests do to single steps of a launch: hold one, lose the answer of one, count them. */
export interface StepGate {
  /**
   * Holds the next call of a step, of any launch or of one, before it does anything, and the next try where that one has lasted too
   * long. A worker that stops meanwhile cancels it.
   */
  hold(step: string, quoteId?: string): HeldStep;
  /**
   * Lets the next `times` (default 1) calls of a step, of any launch or of one, do their work and then fail, as if the worker
   * had died before it could answer.
   */
  loseAnswer(step: string, times?: number, quoteId?: string): void;
  /** Lets everything pass that is held, and forgets what was still to be held or lost. */
  openAll(): void;
  /** Fails every call that is held, as the end of the worker does: Temporal cancels those alone that are activities of their own. */
  cutOff(): void;
  /** How often a step was called for a launch. */
  calls(step: string, quoteId: string): number;
  /** The activities with the gate around each. */
  guard<Activities extends object>(activities: Activities): Activities;
}

type Step = (quoteId: string, ...rest: unknown[]) => Promise<unknown>;

interface Hold extends HeldStep {
  readonly enter: (quoteId: string) => Promise<void>;
  readonly cutOff: () => void;
}

/** A gate through which every step passes unhindered until a test says otherwise. */
export function createStepGate(): StepGate {
  const holds = new Map<string, Hold>();
  const entered = new Set<Hold>();
  const losses = new Map<string, number>();
  const calls = new Map<string, number>();

  async function pass(name: string, step: Step, args: [string, ...unknown[]]): Promise<unknown> {
    const key = keyOf(name, args[0]);
    calls.set(key, (calls.get(key) ?? 0) + 1);
    await stand(key, takeHold(key), args[0]);
    await stand(name, takeHold(name), args[0]);
    const answer = await step(...args);
    if (takeLoss(key) || takeLoss(name)) throw new Error(`the answer of ${name} is lost`);
    return answer;
  }

  async function stand(key: string, hold: Hold | undefined, quoteId: string): Promise<void> {
    try {
      await hold?.enter(quoteId);
    } catch (error) {
      // Its workflow tries it again, and is to stand still until it is released.
      if (hold && hasLastedTooLong(error)) holds.set(keyOf(key.split('/')[0] ?? key, quoteId), hold);
      throw error;
    }
  }

  function takeHold(key: string): Hold | undefined {
    const hold = holds.get(key);
    holds.delete(key);
    if (hold) entered.add(hold);
    return hold;
  }

  function takeLoss(key: string): boolean {
    const left = losses.get(key) ?? 0;
    losses.set(key, left - 1);
    return left > 0;
  }

  return {
    hold(step, quoteId) {
      const hold = createHold();
      holds.set(keyOf(step, quoteId), hold);
      return hold;
    },
    loseAnswer: (step, times = 1, quoteId) => void losses.set(keyOf(step, quoteId), times),
    openAll() {
      for (const hold of entered) hold.release();
      for (const kept of [holds, losses, entered]) kept.clear();
    },
    cutOff() {
      for (const hold of entered) hold.cutOff();
      entered.clear();
    },
    calls: (step, quoteId) => calls.get(keyOf(step, quoteId)) ?? 0,
    guard<Activities extends object>(activities: Activities): Activities {
      const guarded = Object.entries(activities).map(([name, step]: [string, Step]) => [
        name,
        (...args: [string, ...unknown[]]) => pass(name, step, args),
      ]);
      return Object.fromEntries(guarded) as Activities;
    },
  };
}

function keyOf(step: string, quoteId?: string): string {
  return quoteId === undefined ? step : `${step}/${quoteId}`;
}

function hasLastedTooLong(error: unknown): boolean {
  return error instanceof CancelledFailure && error.message === 'TIMED_OUT';
}

function createHold(): Hold {
  const reached = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  return {
    reached: reached.promise,
    release: () => released.resolve(),
    enter: async (quoteId) => {
      reached.resolve(quoteId);
      await Promise.race([released.promise, ended.promise, Context.current().cancelled]);
    },
    cutOff: () => ended.reject(new Error('the worker ended')),
  };
}

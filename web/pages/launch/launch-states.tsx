import { ApiError } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import type { Launch } from '../../api/types.ts';
import { isNotFound, useAnswer } from '../../api/use-answer.ts';
import { moment } from '../../format/texts.ts';
import { plainError } from '../../parts/answered.tsx';

type State = Launch['states'][number]['state'];

/** What each state of a launch means for whoever waits: while it lasts, and once another one followed. */
const WORDS: Readonly<Record<State, readonly [now: string, past: string]>> = {
  received: ['Your signed payment was taken in. Nothing was sent yet.', 'Your signed payment was taken in.'],
  preparing: ['Logo and metadata are being stored. Nothing was sent yet.', 'Logo and metadata came first.'],
  landing: ['The bundle is on its way to the chain. The payment may land any moment.', 'The bundle was sent.'],
  resuming: ['A part has landed; the rest follows.', 'A part landed before the rest.'],
  recording: ['Everything landed and is being read back.', 'Everything landed.'],
  completed: ['The token is live.', 'The token went live.'],
  finalized: ['It is final: nothing can take it back.', 'It became final.'],
  needs_recovery: ['Paid. An operator finishes it or gives it back.', 'Paid, and an operator took it on.'],
  refunding: ['Your payment is being given back.', 'Giving your payment back began.'],
  refunded: ['Your payment was given back.', 'Your payment was given back.'],
  not_landed: ['It did not land and never will. Nothing was charged.', 'It did not land. Nothing was charged.'],
};

/** What a state of a launch means in plain words. */
export function stateWords(state: State, isPast: boolean): string {
  return WORDS[state][isPast ? 1 : 0];
}

const EVERY_MS = 1_500;
/** After these nobody waits any more. */
const ARRIVED: readonly State[] = ['completed', 'finalized', 'refunded', 'not_landed'];

/** What the platform says of a launch, asked again and again. */
function useLaunch(paymentSignature: string) {
  const path = { paymentSignature };
  return useAnswer(
    ['launch', paymentSignature],
    (signal) => api.ask('GET /launches/{paymentSignature}', { path, signal }),
    { everyMs: EVERY_MS },
  );
}

/** Whether a launch has come to its end, whoever brought it there. */
export function useIsOver(paymentSignature: string): boolean {
  const { data, error } = useLaunch(paymentSignature);
  return error === null && data !== undefined && data.status !== 'processing';
}

interface StatesProps {
  readonly paymentSignature: string;
  /** What it means that the platform knows of no such payment. */
  readonly unknown: string;
}

/** The states of a launch as they come, in plain words. */
export function LaunchStates({ paymentSignature, unknown }: StatesProps) {
  const { data, error } = useLaunch(paymentSignature);
  const states = data?.states ?? [];
  const now = states.length === 0 || error !== null ? nowOf(error, unknown) : null;
  return (
    <ol className="launch-states" aria-live="polite">
      {states.map(({ state, at }, index) => {
        const isPast = now !== null || index < states.length - 1;
        return (
          <li key={`${state}/${at}`} className={isPast || ARRIVED.includes(state) ? 'done' : 'current'}>
            <span>{stateWords(state, isPast)}</span>
            <time dateTime={at}>{moment(at)}</time>
          </li>
        );
      })}
      {now !== null && <li className="current">{now}</li>}
    </ol>
  );
}

/** What holds now where the platform tells no states, in plain words. */
function nowOf(error: Error | null, unknown: string): string {
  if (error === null) return 'Asking the platform where it stands …';
  if (isNotFound(error)) return unknown;
  // While an operator has to decide, the platform answers with a conflict.
  return error instanceof ApiError && error.code === 'conflict'
    ? stateWords('needs_recovery', false)
    : plainError(error);
}

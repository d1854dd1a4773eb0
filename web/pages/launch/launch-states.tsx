import { useEffect, useState } from 'react';
import { ApiError } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import type { Launch } from '../../api/types.ts';
import { isNotFound, useAnswer } from '../../api/use-answer.ts';
import { moment } from '../../format/texts.ts';
import { plainError } from '../../parts/answered.tsx';

type State = Launch['states'][number]['state'];

const WORDS: Readonly<Record<State, readonly [now: string, past: string]>> = {
  received: ['Your signed payment was taken in. Nothing was sent yet.', 'Your signed payment was taken in.'],
  preparing: ['Logo and metadata are being stored. Nothing was sent yet.', 'Logo and metadata came first.'],
  landing: ['The bundle is on its way to the chain. The payment may land any moment.', 'The bundle was sent.'],
  resuming: ['A part has landed; the rest follows.', 'A part landed before the rest.'],
  recording: ['Everything landed and is being read back.', 'Everything landed.'],
  completed: ['The token is live.', 'The token went live.'],
  finalized: ['It is final: nothing can take it back.', 'It became final.'],
  needs_recovery: ['An operator decides how it ends. No payment is known to have landed.', 'An operator took it on.'],
  refunding: ['An operator ends it. What landed of your payment is given back.', 'Giving your payment back began.'],
  refunded: ['Your payment was given back.', 'Your payment was given back.'],
  not_landed: ['It did not land and never will. Nothing was charged.', 'It did not land. Nothing was charged.'],
};

export function stateWords(state: State, isPast: boolean): string {
  return WORDS[state][isPast ? 1 : 0];
}

const EVERY_MS = 1_500;
const ARRIVED: readonly State[] = ['completed', 'finalized', 'refunded', 'not_landed'];

/** True once `ms` have passed. */
function useAfter(ms: number): boolean {
  const [isAfter, setAfter] = useState(ms === 0);
  useEffect(() => {
    const timer = setTimeout(() => {
      setAfter(true);
    }, ms);
    return () => {
      clearTimeout(timer);
    };
  }, [ms]);
  return isAfter;
}

function useLaunch(paymentSignature: string, waitMs = 0) {
  const path = { paymentSignature };
  const enabled = useAfter(waitMs);
  return useAnswer(
    ['launch', paymentSignature],
    (signal) => api.ask('GET /launches/{paymentSignature}', { path, signal }),
    { everyMs: EVERY_MS, enabled },
  );
}

/** True once the launch has ended, by itself or by an operator. */
export function useIsOver(paymentSignature: string): boolean {
  const { data, error } = useLaunch(paymentSignature);
  return error === null && data !== undefined && data.status !== 'processing';
}

interface StatesProps {
  readonly paymentSignature: string;
  readonly unknown: string;
  /** Before the first read: until a submit has arrived, its status is 404, which a browser's console shows as an error. */
  readonly waitMs?: number;
}

export function LaunchStates({ paymentSignature, unknown, waitMs }: StatesProps) {
  const { data, error } = useLaunch(paymentSignature, waitMs);
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

function nowOf(error: Error | null, unknown: string): string {
  if (error === null) return 'Asking the platform where it stands …';
  if (isNotFound(error)) return unknown;
  // A conflict while an operator must decide.
  return error instanceof ApiError && error.code === 'conflict'
    ? 'Paid. An operator finishes it or gives it back.'
    : plainError(error);
}

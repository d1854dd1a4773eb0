import { api } from '../../api/api.ts';
import type { Launch } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { moment } from '../../format/texts.ts';

type State = Launch['states'][number]['state'];

/** What each state of a launch means for whoever waits. */
const WORDS: Readonly<Record<State, string>> = {
  received: 'Your signed payment was taken in. Nothing was sent yet.',
  preparing: 'Logo and metadata are being stored. Nothing was sent yet.',
  landing: 'The bundle is on its way to the chain. The payment may land any moment.',
  resuming: 'A part has landed; the rest follows.',
  recording: 'Everything landed and is being read back.',
  completed: 'The token is live.',
  finalized: 'It is final: nothing can take it back.',
  needs_recovery: 'Paid. An operator finishes it or gives it back.',
  refunding: 'Your payment is being given back.',
  refunded: 'Your payment was given back.',
  not_landed: 'It did not land and never will. Nothing was charged.',
};

const EVERY_MS = 1_500;
const FINAL: readonly State[] = ['finalized', 'refunded', 'not_landed'];

/** The states of a launch as they come, in plain words. */
export function LaunchStates({ paymentSignature }: { readonly paymentSignature: string }) {
  const path = { paymentSignature };
  const { data } = useAnswer(
    ['launch', paymentSignature],
    (signal) => api.ask('GET /launches/{paymentSignature}', { path, signal }),
    { everyMs: EVERY_MS },
  );
  const states = data?.states ?? [];
  const isFinal = states.some(({ state }) => FINAL.includes(state));
  return (
    <ol className="launch-states" aria-live="polite">
      {states.map(({ state, at }, index) => (
        <li key={`${state}/${at}`} className={index === states.length - 1 && !isFinal ? 'current' : 'done'}>
          <span>{WORDS[state]}</span>
          <time dateTime={at}>{moment(at)}</time>
        </li>
      ))}
      {states.length === 0 && <li className="current">The platform is being told …</li>}
    </ol>
  );
}

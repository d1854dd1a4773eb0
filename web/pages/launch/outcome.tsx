import { useEffect } from 'react';
import { Link } from 'wouter';
import type { LaunchOutcome } from '../../../client/index.ts';
import { Notice } from '../../parts/answered.tsx';
import { Copy } from '../../parts/copy.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { LaunchStates, useIsOver } from './launch-states.tsx';
import { Share } from './share.tsx';

type Ended = Exclude<LaunchOutcome, { readonly status: 'declined' }>;

/** The next launch is another token, no retry. */
const PAID: readonly Ended['status'][] = ['completed', 'needs_recovery'];

interface OutcomeProps {
  readonly outcome: Ended;
  readonly name: string;
  readonly onAgain: () => void;
  readonly onDecided: () => void;
}

export function Outcome({ outcome, name, onAgain, onDecided }: OutcomeProps) {
  const { paymentSignature } = outcome;
  return (
    <section className="panel" aria-labelledby="outcome-title">
      <Words outcome={outcome} name={name} />
      {outcome.status === 'completed' && <Launched mint={outcome.mint} name={name} />}
      <p className="hint">
        Payment: <OnChain kind="tx" id={paymentSignature} what="payment" letters={8} />
      </p>
      <LaunchStates paymentSignature={paymentSignature} unknown="The platform took nothing in." />
      {outcome.status === 'needs_recovery' && <Recovery paymentSignature={paymentSignature} onDecided={onDecided} />}
      <div className="actions">
        {outcome.status === 'completed' && (
          <Link className="button large" href={`/tokens/${outcome.mint}`}>
            See the token
          </Link>
        )}
        <button type="button" className="button quiet large" onClick={onAgain}>
          {PAID.includes(outcome.status) ? 'Launch another' : 'Launch again'}
        </button>
      </div>
    </section>
  );
}

function Launched({ mint, name }: { readonly mint: string; readonly name: string }) {
  return (
    <>
      <p>
        Its address, which people need to find the right one: <Copy text={mint} what="token address" letters={22} />
      </p>
      <Share path={`/tokens/${mint}`} text={`${name} is live`} />
      <ul className="facts">
        <li>
          Fees add up from the first trade. What you may claim of them stands under{' '}
          <Link href="/creator">My launches</Link>, without a deadline; a reward coin pays its holders instead.
        </li>
        <li>Wallets and explorers show name and logo within minutes, some only after the first trades.</li>
      </ul>
    </>
  );
}

function Recovery({
  paymentSignature,
  onDecided,
}: Pick<OutcomeProps, 'onDecided'> & { readonly paymentSignature: string }) {
  const isOver = useIsOver(paymentSignature);
  useEffect(() => {
    if (isOver) onDecided();
  }, [isOver]);
  return null;
}

function Words({ outcome, name }: { readonly outcome: Ended; readonly name: string }) {
  switch (outcome.status) {
    case 'completed':
      return (
        <>
          <h2 id="outcome-title">
            <CreatorText>{name}</CreatorText> is live
          </h2>
          <Notice kind="good">Paid once. The token can be traded now; in half a minute it is final.</Notice>
        </>
      );
    case 'not_charged':
      return (
        <>
          <h2 id="outcome-title">Not launched, and nothing was charged</h2>
          <Notice kind="info">
            Nothing can be charged any more either: you can launch again. Why: {outcome.reason}
          </Notice>
        </>
      );
    case 'refunded':
      return (
        <>
          <h2 id="outcome-title">Not launched, and given back</h2>
          <Notice kind="info">Your payment was given back with its network fee. Why: {outcome.reason}</Notice>
        </>
      );
    case 'needs_recovery':
      return (
        <>
          <h2 id="outcome-title">Paid, and an operator is at it</h2>
          <Notice kind="warn">
            Never pay again for it. The launch will be finished or given back, and this page says so when it is. You can
            close it and come back.
          </Notice>
        </>
      );
    case 'unknown':
      return (
        <>
          <h2 id="outcome-title">Not known yet</h2>
          <Notice kind="warn">
            The payment may land. Never pay again: this page goes on when you open it. {outcome.reason}
          </Notice>
        </>
      );
  }
}

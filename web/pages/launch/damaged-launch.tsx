import { Link } from 'wouter';
import { Notice } from '../../parts/answered.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { readRemains } from './remains.ts';
import { LaunchStates } from './launch-states.tsx';

interface DamagedProps {
  readonly kept: string;
  readonly onPutAside: () => void;
}

/** A signed launch with an unreadable record. */
export function DamagedLaunch({ kept, onPutAside }: DamagedProps) {
  const { payment, mint } = readRemains(kept);
  return (
    <section className="panel" aria-labelledby="damaged-title">
      <h2 id="damaged-title">A launch was signed here, and this page cannot go on with it</h2>
      <Notice kind="warn">
        <strong>It may have been charged.</strong> What this browser kept of it is damaged. Do not launch the same token
        again before you know what became of it.
      </Notice>
      {payment === null ? (
        <p>
          Its payment cannot be read any more. Look in your wallet whether a payment left it, and{' '}
          <Link href="/creator">among your launches</Link> whether the token is there.
        </p>
      ) : (
        <>
          <p>
            Payment: <OnChain kind="tx" id={payment} what="payment" letters={8} />. The platform says of it:
          </p>
          <LaunchStates paymentSignature={payment} unknown="It knows of no such payment: it did not take it in." />
        </>
      )}
      {mint !== null && (
        <p>
          <Link href={`/tokens/${mint}`}>The page of its token</Link>, which is there if it was launched.
        </p>
      )}
      <p className="hint">
        What the platform took in it brings to an end without this browser: launched, given back, or not charged. What
        it did not take in cannot be charged. Set aside, what is kept stays in this browser and is not asked about
        again.
      </p>
      <div className="actions">
        <button type="button" className="button quiet large" onClick={onPutAside}>
          Set it aside: it may have been charged
        </button>
      </div>
    </section>
  );
}

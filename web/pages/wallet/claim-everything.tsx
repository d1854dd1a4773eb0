import { Link } from 'wouter';
import { counted } from '../../format/numbers.ts';
import { short } from '../../format/texts.ts';
import { Notice, plainError } from '../../parts/answered.tsx';
import { ClaimState } from '../creator/claim-state.tsx';
import type { Claiming, ClaimRun } from '../creator/claiming.ts';
import type { Claims } from '../creator/use-claims.ts';
import { progressWords } from './claim-progress.ts';

interface ClaimEverythingProps {
  readonly claims: Claims;
  /** Mints whose claims are shown elsewhere on the page. */
  readonly shown: readonly string[];
}

/** Claims all that the connected wallet can claim, ten by one request of the wallet. */
export function ClaimEverything({ claims, shown }: ClaimEverythingProps) {
  const { isBusy, run, mints, of } = claims;
  const others = mints.filter((mint) => !shown.includes(mint) && of(mint) !== undefined);
  return (
    <>
      <p className="actions">
        <button type="button" className="button" disabled={isBusy} onClick={() => void claims.claimEverything()}>
          {isBusy ? 'Claiming …' : 'Claim all'}
        </button>
        <span className="hint">
          Your wallet signs up to ten claims at once. Fees go from the pools straight to you.
        </span>
      </p>
      {run && <Progress run={run} isBusy={isBusy} states={mints.flatMap((mint) => of(mint) ?? [])} />}
      {others.length > 0 && (
        <ul className="positions">
          {others.map((mint) => (
            <li key={mint} className="position">
              <div className="row-name">
                <Link href={`/tokens/${mint}`}>
                  <code>{short(mint)}</code>
                </Link>
              </div>
              <ClaimState state={of(mint)} onPutAside={() => void claims.putAside(mint)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface ProgressProps {
  readonly run: ClaimRun;
  readonly isBusy: boolean;
  readonly states: readonly Claiming[];
}

function Progress({ run: { remaining, deferred, error }, isBusy, states }: ProgressProps) {
  return (
    <>
      <Notice kind={isBusy || error ? 'info' : 'good'}>{progressWords({ remaining, isBusy, states })}</Notice>
      {deferred.length > 0 && (
        <Notice kind="warn">
          {counted(deferred.length, 'claim')} could not be prepared now; claim all again. {deferred[0]?.reason}
        </Notice>
      )}
      {error && <Notice kind="warn">It ended before all was looked at; claim all again. {plainError(error)}</Notice>}
    </>
  );
}

import { Link } from 'wouter';
import type { Answer } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import type { Fees } from '../../api/types.ts';
import { type Asked, useAnswer } from '../../api/use-answer.ts';
import { number, usd } from '../../format/numbers.ts';
import { ago } from '../../format/texts.ts';
import { Notice, plainError } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { TokenRow } from '../../parts/token-row.tsx';
import { useWallet } from '../../wallet/wallet-context.ts';
import { ClaimState } from './claim-state.tsx';
import { type Claims, useClaims } from './use-claims.ts';
import { IS_TAXED } from '../../../client/launch/check-quote.ts';

type Launch = Answer<'GET /launches'>['launches'][number];

const EVERY_MS = 12_000;

interface LaunchesProps {
  readonly creator: string;
  readonly launches: readonly Launch[];
  /** False: other pages have more. */
  readonly areAll: boolean;
}

export function Launches({ creator, launches, areAll }: LaunchesProps) {
  const { signer } = useWallet();
  const claims = useClaims(signer);
  const standard = launches.filter(({ mode }) => !IS_TAXED[mode]).map(({ mint }) => mint);
  if (launches.length === 0) {
    return (
      <section className="empty">
        <p>Nothing was launched with this wallet yet.</p>
        <Link className="button" href="/launch">
          Launch a token
        </Link>
      </section>
    );
  }
  return (
    <>
      {signer?.address === creator && standard.length > 0 && (
        <p className="actions">
          <button
            type="button"
            className="button"
            disabled={claims.isBusy}
            onClick={() => void claims.claimAll(standard)}
          >
            {claims.isBusy ? 'Claiming …' : areAll ? 'Claim all' : 'Claim all of this page'}
          </button>
          <span className="hint">Your wallet signs each claim. Fees go from the pool straight to you.</span>
        </p>
      )}
      <ul className="rows">
        {launches.map((launch) => (
          <LaunchRow key={launch.mint} launch={launch} claims={claims} wallet={signer?.address} />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  readonly launch: Launch;
  readonly claims: Claims;
  readonly wallet: string | undefined;
}

function LaunchRow({ launch, claims, wallet }: RowProps) {
  const { mint, symbol, createdAt, mode, quoteSymbol } = launch;
  const fees = useAnswer(['fees', mint], (signal) => api.ask('GET /tokens/{mint}/fees', { path: { mint }, signal }), {
    everyMs: EVERY_MS,
    on: { subjects: ['trade', 'claim'], mint },
  });
  return (
    <TokenRow
      token={launch}
      about={
        <>
          <CreatorText>{symbol}</CreatorText> / <CreatorText>{quoteSymbol}</CreatorText> · {mode} · {ago(createdAt)}
        </>
      }
    >
      <Claimable fees={fees} />
      <ClaimButton mint={mint} fees={fees.data} claims={claims} wallet={wallet} />
      <ClaimState state={claims.of(mint)} onPutAside={() => void claims.putAside(mint)} />
    </TokenRow>
  );
}

function Claimable({ fees: { data, error } }: { readonly fees: Asked<Fees> }) {
  if (error) return <Notice kind="warn">{plainError(error)}</Notice>;
  if (data === undefined) return <span className="quiet-text">…</span>;
  const { claimable, reason } = data;
  if (claimable === null) return <p className="row-fees quiet-text">{reason}</p>;
  return (
    <dl className="row-fees">
      <dt className="sr-only">Claimable</dt>
      {[claimable.quote, claimable.base].map(({ mint, symbol, amountTokens, amountUsd }) => (
        <dd key={mint}>
          <strong>{number(amountTokens)}</strong> <CreatorText>{symbol}</CreatorText>{' '}
          <small className="quiet-text">{usd(amountUsd)}</small>
        </dd>
      ))}
    </dl>
  );
}

interface ClaimButtonProps {
  readonly mint: string;
  readonly fees: Fees | undefined;
  readonly claims: Claims;
  readonly wallet: string | undefined;
}

/** Button for the Fee Key's holder, if there are fees. */
function ClaimButton({ mint, fees, claims, wallet }: ClaimButtonProps) {
  if (!fees?.claimable || fees.feeKey?.holder !== wallet) return null;
  const { base, quote } = fees.claimable;
  const isEmpty = BigInt(base.amountRaw) + BigInt(quote.amountRaw) === 0n;
  return (
    <button
      type="button"
      className="button quiet"
      disabled={claims.isBusy || isEmpty}
      onClick={() => void claims.claimAll([mint])}
    >
      {isEmpty ? 'Nothing yet' : 'Claim'}
    </button>
  );
}

import { Link } from 'wouter';
import type { Answer } from '../../../client/index.ts';
import { api } from '../../api/api.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { count, number, usd } from '../../format/numbers.ts';
import { short } from '../../format/texts.ts';
import { Answered } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { CursorPager, useCursors } from '../../parts/cursor-pager.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { useWallet } from '../../wallet/wallet-context.ts';
import { ClaimState } from '../creator/claim-state.tsx';
import { type Claims, useClaims } from '../creator/use-claims.ts';
import { ClaimEverything } from './claim-everything.tsx';

type Position = Answer<'GET /wallets/{wallet}'>['positions'][number];

/** Each position counts as a request. */
const EVERY_MS = 20_000;

/** Positions whose fees the wallet earns or earned, and claiming them. */
export function FeesPanel({ wallet }: { readonly wallet: string }) {
  const { signer } = useWallet();
  const claims = useClaims(signer);
  const cursors = useCursors();
  const query = cursors.cursor === undefined ? {} : { cursor: cursors.cursor };
  const asked = useAnswer(
    ['wallet', wallet, 'positions', query],
    (signal) => api.ask('GET /wallets/{wallet}', { path: { wallet }, query, signal }),
    { everyMs: EVERY_MS, on: { subjects: ['claim', 'launch', 'token'] } },
  );
  const isOwn = signer?.address === wallet;
  return (
    <section className="panel" aria-labelledby="fees-title">
      <h2 id="fees-title">Fees of creators</h2>
      <Answered asked={asked}>
        {({ launchCount, positions, pagination }) => (
          <>
            <Figures>
              <Figure name="Launches">{count(launchCount)}</Figure>
              <Figure name="Fee Keys" hint="Of the positions on this page">
                {count(positions.filter(({ feeKey }) => feeKey.isHeld).length)}
              </Figure>
              <Figure name="Claimable" hint="Of the positions on this page">
                {usd(worthOf(positions))}
              </Figure>
            </Figures>
            {isOwn && <ClaimEverything claims={claims} shown={positions.map(({ mint }) => mint)} />}
            {positions.length === 0 && <p className="empty">This wallet holds no Fee Key of a token from here.</p>}
            <ul className="positions">
              {positions.map((position) => (
                <PositionRow key={position.mint} position={position} claims={claims} isOwn={isOwn} />
              ))}
            </ul>
            <CursorPager what="positions" cursors={cursors} next={pagination.nextCursor} />
          </>
        )}
      </Answered>
    </section>
  );
}

/** USD; null without any known price. */
function worthOf(positions: readonly Position[]): number | null {
  const worths = positions
    .flatMap(({ feeKey, claimable }) => (feeKey.isHeld && claimable ? [claimable.base, claimable.quote] : []))
    .flatMap(({ amountUsd }) => amountUsd ?? []);
  return worths.length === 0 ? null : worths.reduce((sum, worth) => sum + worth, 0);
}

interface RowProps {
  readonly position: Position;
  readonly claims: Claims;
  readonly isOwn: boolean;
}

function PositionRow({ position: { mint, name, symbol, feeKey, claimable }, claims, isOwn }: RowProps) {
  const isEmpty = claimable === null || isZero(claimable.base.amountRaw, claimable.quote.amountRaw);
  return (
    <li className="position">
      <div className="row-name">
        <Link href={`/tokens/${mint}`}>
          <CreatorText>{name}</CreatorText>
        </Link>
        <small>
          <CreatorText>{symbol}</CreatorText> · {holderWords(feeKey, claimable === null)}
          {!feeKey.isHeld && feeKey.holder !== null && (
            <OnChain kind="address" id={feeKey.holder} what="holder of the Fee Key" />
          )}
        </small>
      </div>
      <dl className="row-fees">
        <dt className="sr-only">Claimable</dt>
        {claimable === null ? (
          <dd className="quiet-text">not known now</dd>
        ) : (
          [claimable.quote, claimable.base].map(({ mint: of, symbol: unit, amountTokens, amountUsd }) => (
            <dd key={of}>
              <strong>{number(amountTokens)}</strong> <CreatorText>{unit}</CreatorText>{' '}
              <small className="quiet-text">{usd(amountUsd)}</small>
            </dd>
          ))
        )}
      </dl>
      {isOwn && feeKey.isHeld && (
        <button
          type="button"
          className="button quiet"
          disabled={claims.isBusy || isEmpty}
          onClick={() => void claims.claimAll([mint])}
        >
          {isEmpty ? 'Nothing yet' : 'Claim'}
        </button>
      )}
      <ClaimState state={claims.of(mint)} onPutAside={() => void claims.putAside(mint)} />
    </li>
  );
}

function holderWords({ isHeld, holder, mint }: Position['feeKey'], isUnknown: boolean): string {
  if (isHeld) return `holds Fee Key ${short(mint)}`;
  if (isUnknown) return 'holder of the Fee Key not known now';
  return holder === null ? 'no wallet holds its Fee Key' : 'its Fee Key is held by ';
}

function isZero(...amounts: readonly string[]): boolean {
  return amounts.every((raw) => /^0*$/.test(raw));
}

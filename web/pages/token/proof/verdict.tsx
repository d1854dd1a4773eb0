import type { ReactNode } from 'react';
import type { Answer } from '../../../../client/index.ts';
import type { HolderRow, RoundDocument } from '../../../../client/verify/round/round-document.ts';
import type { Token } from '../../../api/types.ts';
import { leftOutReason } from '../../../format/left-out.ts';
import { exactTokens } from '../../../format/raw-amounts.ts';
import { short } from '../../../format/texts.ts';
import { Notice } from '../../../parts/answered.tsx';
import { Checks } from '../../../parts/checks.tsx';
import { CreatorText } from '../../../parts/creator-text.tsx';
import { OnChain } from '../../../parts/on-chain.tsx';
import { addressOfRoot } from '../../../proof/root-address.ts';
import type { RoundCheck } from './use-round-check.ts';

interface VerdictProps {
  readonly token: Token;
  readonly quote: Answer<'GET /tokens/{mint}/rewards/rounds'>['quote'];
  readonly result: Extract<RoundCheck, { readonly kind: 'checked' }>;
}

export function Verdict({ token, quote, result: { asked, checks, document, row } }: VerdictProps) {
  return (
    <div role="status">
      <Checks label={`Checks of round ${asked.number}`} checks={checks} />
      {document ? (
        <>
          <Notice kind="good">
            Round {asked.number}, <code>{short(asked.wallet)}</code>:{' '}
            {row ? <Row token={token} quote={quote} row={row} /> : <NoRow token={token} document={document} />}
          </Notice>
          <Meaning root={asked.root} />
        </>
      ) : (
        <Failed isDifferent={checks.some(({ status }) => status === 'different')} />
      )}
    </div>
  );
}

function Failed({ isDifferent }: { readonly isDifferent: boolean }) {
  return isDifferent ? (
    <Notice kind="bad">
      The document does not hold. Keep a copy of it, and check the round with the command below: its seal on the chain
      cannot change.
    </Notice>
  ) : (
    <Notice kind="warn">The document could not be checked. Its seal only shows that there is one.</Notice>
  );
}

interface TokensProps {
  readonly raw: bigint;
  readonly of: { readonly symbol: string; readonly decimals: number };
}

function Tokens({ raw, of }: TokensProps) {
  return (
    <>
      {exactTokens(raw, of.decimals)} <CreatorText>{of.symbol}</CreatorText>
    </>
  );
}

function Row({ token, quote, row: { held, outcome } }: Omit<VerdictProps, 'result'> & { readonly row: HolderRow }) {
  return (
    <>
      {outcome.kind === 'paid' ? (
        <>
          the plan pays it <Tokens raw={outcome.amountRaw} of={quote} />
          {outcome.rentRaw > 0n && (
            <>
              , and <Tokens raw={outcome.rentRaw} of={quote} /> for the rent of its new account
            </>
          )}
          .
        </>
      ) : (
        <>the plan pays it nothing: {leftOutReason(outcome.reason)}.</>
      )}{' '}
      At the {held.length} observations it was seen with{' '}
      {held.map((raw) => exactTokens(raw, token.decimals)).join(', ')} <CreatorText>{token.symbol}</CreatorText>.
    </>
  );
}

function NoRow({ token, document }: { readonly token: Token; readonly document: RoundDocument }) {
  return (
    <>
      no row. By this document it held less than the minimum of <Tokens raw={document.minimumRaw} of={token} /> at every
      observation.
    </>
  );
}

function Meaning({ root }: { readonly root: string }) {
  const limits: readonly ReactNode[] = [
    <>
      That this root is on the chain. See yourself: an explorer shows under the address{' '}
      <OnChain kind="address" id={addressOfRoot(root)} what="root as an address" letters={6} /> the transaction that
      sealed it, before the payouts.
    </>,
    'That the observed balances are those of the chain, and that the payment arrived.',
    'That this page is honest: the platform serves it. The command below trusts none of this.',
  ];
  return (
    <div className="two">
      <div>
        <h4>This proves</h4>
        <p>
          Who is seen with how much and who is paid how much is one fixed text, the same for every reader. It adds up to
          its budget and is divided by the published rule. No line can change without another root.
        </p>
      </div>
      <div>
        <h4>This does not prove</h4>
        <ul className="facts">
          {limits.map((limit, place) => (
            <li key={place}>{limit}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

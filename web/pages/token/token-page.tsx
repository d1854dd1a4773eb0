import { lazy, Suspense, useState } from 'react';
import { isAddress } from '../../../client/solana/bytes.ts';
import { api } from '../../api/api.ts';
import type { OneToken, Token } from '../../api/types.ts';
import { isNotFound, useAnswer } from '../../api/use-answer.ts';
import { FollowEvents } from '../../events/follow-events.tsx';
import { useExtension } from '../../extension.ts';
import { isolated } from '../../format/texts.ts';
import { Answered, Waiting } from '../../parts/answered.tsx';
import { type Choice, Segments } from '../../parts/segments.tsx';
import { InTurn } from '../../parts/turn.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { AirdropPanel } from './airdrop-panel.tsx';
import { BurnsPanel } from './burns-panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { FeesPanel } from './fees-panel.tsx';
import { HoldersPanel } from './holders-panel.tsx';
import { LaunchPanel } from './launch-panel.tsx';
import { MarketPanel } from './market-panel.tsx';
import { QuoteTokenOrNothing } from './quote-token.tsx';
import { RewardsPanel } from './rewards-panel.tsx';
import { TokenHeader } from './token-header.tsx';
import { TradesPanel } from './trades-panel.tsx';
import { IS_TAXED } from '../../../client/launch/check-quote.ts';

// Hashes and curves, which no other page needs.
const ProofPanel = lazy(() => import('./proof/proof-panel.tsx'));

const EVERY_MS = 4_000;

/** Each changes something on the page. Not `payout.paid`: a round has thousands, and ends with `round.paid`. */
const TYPES = [
  'token.launched',
  'token.graduated',
  'token.withdrawn',
  'trade.confirmed',
  'trade.final',
  'trade.withdrawn',
  'round.observed',
  'round.divided',
  'round.paid',
  'claim.paid',
  'burn',
  'airdrop.delivered',
] as const;

export default function TokenPage({ mint }: { readonly mint: string }) {
  return (
    <FollowEvents filter={isAddress(mint) ? { types: TYPES, mint } : null}>
      <TokenOrNothing mint={mint} />
    </FollowEvents>
  );
}

function TokenOrNothing({ mint }: { readonly mint: string }) {
  const asked = useAnswer(['token', mint], (signal) => api.ask('GET /tokens/{mint}', { path: { mint }, signal }), {
    everyMs: EVERY_MS,
    on: { subjects: ['token', 'trade', 'burn'] },
  });
  useTitle(asked.data ? `${isolated(asked.data.token.name)} (${isolated(asked.data.token.symbol)})` : 'Token');
  if (asked.data === undefined && isNotFound(asked.error)) return <QuoteTokenOrNothing mint={mint} />;
  return (
    <Answered asked={asked} waiting={<Waiting rows={8} />}>
      {(answer) => <LaunchedToken token={answer.token} answer={answer} />}
    </Answered>
  );
}

function LaunchedToken({ token, answer }: { readonly token: Token; readonly answer: OneToken }) {
  const { TradePanel } = useExtension();
  return (
    <div className="token-page">
      <TokenHeader token={token} network={answer.network} />
      <ChartPanel token={token} />
      <aside className="token-side" aria-label="Market and trading">
        <InTurn>
          <MarketPanel token={token} />
        </InTurn>
        {TradePanel && (
          <InTurn>
            <TradePanel token={token} />
          </InTurn>
        )}
        <InTurn>{IS_TAXED[token.mode] ? <RewardsPanel token={token} /> : <FeesPanel token={token} />}</InTurn>
      </aside>
      <InTurn waiting={<Waiting />}>
        <Ledgers token={token} launch={answer.launch} />
      </InTurn>
    </div>
  );
}

type Ledger = 'trades' | 'holders' | 'burns' | 'launch' | 'proof';

const LEDGERS: readonly Choice<Ledger>[] = [
  ['trades', 'Trades'],
  ['holders', 'Holders'],
  ['burns', 'Burns'],
  ['launch', 'Launch'],
];

const REWARD_LEDGERS: readonly Choice<Ledger>[] = [...LEDGERS, ['proof', 'Proof']];

function Ledgers({ token, launch }: { readonly token: Token; readonly launch: OneToken['launch'] }) {
  const [shown, setShown] = useState<Ledger>('trades');
  const choices = IS_TAXED[token.mode] ? REWARD_LEDGERS : LEDGERS;
  return (
    <section className="panel" aria-labelledby="ledgers-title">
      <h2 id="ledgers-title" className="sr-only">
        Trades, holders, burns, launch and proofs
      </h2>
      <Segments label="Show" choices={choices} value={shown} onChange={setShown} />
      {shown === 'trades' && <TradesPanel token={token} />}
      {shown === 'holders' && <HoldersPanel mint={token.mint} />}
      {shown === 'burns' && <BurnsPanel mint={token.mint} />}
      {shown === 'launch' && (
        <>
          {launch && <LaunchPanel launch={launch} />}
          {launch?.airdrop && <AirdropPanel mint={token.mint} />}
        </>
      )}
      {shown === 'proof' && (
        <Suspense fallback={<Waiting rows={6} />}>
          <ProofPanel token={token} />
        </Suspense>
      )}
    </section>
  );
}

import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/api.ts';
import { isLaunched, type OneToken, type Token } from '../../api/types.ts';
import { isNotFound, useAnswer } from '../../api/use-answer.ts';
import { isolated } from '../../format/texts.ts';
import { Answered, Waiting } from '../../parts/answered.tsx';
import { LostPart } from '../../parts/lost-part.tsx';
import { type Choice, Segments } from '../../parts/segments.tsx';
import { InTurn } from '../../parts/turn.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { DESK_ROOT } from '../../site.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { AirdropPanel } from './airdrop-panel.tsx';
import { BurnsPanel } from './burns-panel.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { FeesPanel } from './fees-panel.tsx';
import { HoldersPanel } from './holders-panel.tsx';
import { LaunchPanel } from './launch-panel.tsx';
import { MarketPanel } from './market-panel.tsx';
import { QuoteToken } from './quote-token.tsx';
import { RewardsPanel } from './rewards-panel.tsx';
import { TokenHeader } from './token-header.tsx';
import { TradesPanel } from './trades-panel.tsx';

const TradePanel = lazy(() => import('../../desk/trade-panel.tsx'));

const EVERY_MS = 4_000;

/** Everything about one token. */
export default function TokenPage({ mint }: { readonly mint: string }) {
  const asked = useAnswer(['token', mint], (signal) => api.ask('GET /tokens/{mint}', { path: { mint }, signal }), {
    everyMs: EVERY_MS,
  });
  useTitle(asked.data ? `${isolated(asked.data.token.name)} (${isolated(asked.data.token.symbol)})` : 'Token');
  if (asked.data === undefined && isNotFound(asked.error)) return <NotFoundPage />;
  return (
    <Answered asked={asked} waiting={<Waiting rows={8} />}>
      {(answer) =>
        isLaunched(answer.token) ? (
          <LaunchedToken token={answer.token} answer={answer} />
        ) : (
          <QuoteToken token={answer.token} />
        )
      }
    </Answered>
  );
}

function LaunchedToken({ token, answer }: { readonly token: Token; readonly answer: OneToken }) {
  return (
    <div className="token-page">
      <TokenHeader token={token} network={answer.network} />
      <ChartPanel token={token} />
      <aside className="token-side" aria-label="Market and trading">
        <InTurn>
          <MarketPanel token={token} />
        </InTurn>
        {DESK_ROOT !== null && (
          <InTurn>
            <LostPart place={token.mint}>
              <Suspense fallback={<Waiting />}>
                <TradePanel token={token} />
              </Suspense>
            </LostPart>
          </InTurn>
        )}
        <InTurn>{token.mode === 'reward' ? <RewardsPanel token={token} /> : <FeesPanel token={token} />}</InTurn>
      </aside>
      <InTurn waiting={<Waiting />}>
        <Ledgers token={token} launch={answer.launch} />
      </InTurn>
    </div>
  );
}

const LEDGERS: readonly Choice<'trades' | 'holders' | 'burns' | 'launch'>[] = [
  ['trades', 'Trades'],
  ['holders', 'Holders'],
  ['burns', 'Burns'],
  ['launch', 'Launch'],
];

/** What happened to the token, one kind at a time. */
function Ledgers({ token, launch }: { readonly token: Token; readonly launch: OneToken['launch'] }) {
  const [shown, setShown] = useState<'trades' | 'holders' | 'burns' | 'launch'>('trades');
  return (
    <section className="panel" aria-labelledby="ledgers-title">
      <h2 id="ledgers-title" className="sr-only">
        Trades, holders, burns and launch
      </h2>
      <Segments label="Show" choices={LEDGERS} value={shown} onChange={setShown} />
      {shown === 'trades' && <TradesPanel token={token} />}
      {shown === 'holders' && <HoldersPanel mint={token.mint} />}
      {shown === 'burns' && <BurnsPanel mint={token.mint} />}
      {shown === 'launch' && (
        <>
          {launch && <LaunchPanel launch={launch} />}
          {launch?.airdrop && <AirdropPanel mint={token.mint} />}
        </>
      )}
    </section>
  );
}

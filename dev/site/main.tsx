// With a demo wallet, trading at the desk, and the stand-in exchange.
import { lazy, Suspense } from 'react';
import type { Token } from '../../web/api/types.ts';
import { Waiting } from '../../web/parts/answered.tsx';
import { LostPart } from '../../web/parts/lost-part.tsx';
import { renderSite } from '../../web/render-site.tsx';
import { STAND_IN_COLLECTION } from '../stand-in/collection.ts';
import { Balance } from './balance.tsx';
import { DEMO_WALLET } from './demo-wallet.ts';
import './local.css';

const LazyTradePanel = lazy(() => import('./trade-panel.tsx'));

function TradePanel({ token }: { readonly token: Token }) {
  return (
    <LostPart place={token.mint}>
      <Suspense fallback={<Waiting />}>
        <LazyTradePanel token={token} />
      </Suspense>
    </LostPart>
  );
}

renderSite({
  wallet: DEMO_WALLET,
  collection: STAND_IN_COLLECTION,
  notice: 'This chain runs on this machine: its tokens are worth nothing.',
  TradePanel,
  Balance,
});

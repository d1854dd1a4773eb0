import { useStats } from '../../api/stats.ts';
import type { Token } from '../../api/types.ts';
import { change, count, usd } from '../../format/numbers.ts';
import { Amount } from '../../parts/amount.tsx';
import { Change, Figure, Figures } from '../../parts/figure.tsx';
import { Graduation } from '../../parts/graduation.tsx';

const MAY_GRADUATE: Readonly<Record<Token['status'], boolean>> = {
  new: true,
  aboutToGraduate: true,
  graduated: false,
};

export function MarketPanel({ token }: { readonly token: Token }) {
  const { market, quoteSymbol } = token;
  const threshold = useStats().data?.config.graduationMarketCapUsd;
  return (
    <section className="panel" aria-labelledby="market-title">
      <h2 id="market-title">Market</h2>
      <p className="price">
        <strong>{usd(market.priceUsd)}</strong>{' '}
        <Change value={market.priceChange24h}>{change(market.priceChange24h)}</Change>
        <small>
          <Amount tokens={market.priceQuote} symbol={quoteSymbol} />
        </small>
      </p>
      <Figures>
        <Figure name="Market cap">{usd(market.marketCapUsd)}</Figure>
        <Figure name="Peak">{usd(market.peakMarketCapUsd)}</Figure>
        <Figure name="1 h">
          <Change value={market.priceChange1h}>{change(market.priceChange1h)}</Change>
        </Figure>
        <Figure name="6 h">
          <Change value={market.priceChange6h}>{change(market.priceChange6h)}</Change>
        </Figure>
        <Figure name="Volume, 24 h">{usd(market.volume24hUsd)}</Figure>
        <Figure name="Trades, 24 h">{count(market.trades24h)}</Figure>
        <Figure name="Traders, 24 h">{count(market.traders24h)}</Figure>
        <Figure name="Liquidity">{usd(market.liquidityUsd)}</Figure>
        <Figure name="Holders">{count(market.holders)}</Figure>
      </Figures>
      <Graduation token={token} />
      {MAY_GRADUATE[token.status] && threshold !== undefined && (
        <p className="hint">Graduates for ever once a final trade reaches a market cap of {usd(threshold)}.</p>
      )}
    </section>
  );
}

import { Link } from 'wouter';
import { useStats } from '../../api/stats.ts';
import { count, usd } from '../../format/numbers.ts';
import { Figure, Figures } from '../../parts/figure.tsx';

export function Hero() {
  const stats = useStats().data;
  return (
    <section className="hero">
      <div className="hero-words">
        <h1>Launch a token. One signature.</h1>
        <p>
          A mint, a pool and locked liquidity land together, or nothing is charged. Every price here is read from the
          chain.
        </p>
        <p className="hero-actions">
          <Link className="button primary" href="/launch">
            Launch a token
          </Link>
          <Link className="button quiet" href="/creator">
            Claim your fees
          </Link>
        </p>
      </div>
      <Figures>
        <Figure name="Tokens">{count(stats?.tokens.total)}</Figure>
        <Figure name="Graduated">{count(stats?.tokens.graduated)}</Figure>
        <Figure name="Volume, 24 h">{usd(stats?.tokens.totalVolume24hUsd)}</Figure>
        <Figure name="Market cap">{usd(stats?.tokens.totalMarketCapUsd)}</Figure>
        <Figure name="Liquidity">{usd(stats?.tokens.totalLiquidityUsd)}</Figure>
        <Figure name="Burned">{usd(stats?.burns.totalValueUsdAtBurn)}</Figure>
      </Figures>
    </section>
  );
}

import { Link } from 'wouter';
import type { Token } from '../../api/types.ts';
import { change, counted, usd } from '../../format/numbers.ts';
import { ago } from '../../format/texts.ts';
import { Badges } from '../../parts/badges.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { Change, Figure, Figures } from '../../parts/figure.tsx';
import { Graduation } from '../../parts/graduation.tsx';
import { Picture } from '../../parts/picture.tsx';

export function TokenCard({ token }: { readonly token: Token }) {
  const { mint, name, symbol, logoUrl, market, createdAt } = token;
  return (
    <li className="card">
      <Link href={`/tokens/${mint}`} className="card-link">
        <div className="card-head">
          <Picture url={logoUrl} symbol={symbol} size={48} />
          <div className="card-name">
            <h3>
              <CreatorText>{name}</CreatorText>
            </h3>
            <p>
              <CreatorText>{symbol}</CreatorText> <Badges token={token} />
            </p>
          </div>
        </div>
        <Figures>
          <Figure name="Price">{usd(market.priceUsd)}</Figure>
          <Figure name="24 h">
            <Change value={market.priceChange24h}>{change(market.priceChange24h)}</Change>
          </Figure>
          <Figure name="Market cap">{usd(market.marketCapUsd)}</Figure>
          <Figure name="Volume, 24 h">{usd(market.volume24hUsd)}</Figure>
        </Figures>
        <Graduation token={token} />
        <p className="card-foot">
          <span>{market.holders === undefined ? '' : counted(market.holders, 'holder')}</span>
          <span>launched {ago(createdAt)}</span>
        </p>
      </Link>
    </li>
  );
}

const PLACES = 6;

/** Shows placeholders of the same size: nothing jumps. */
export function CardsWaiting() {
  return (
    <ul className="cards" role="status" aria-label="Loading tokens">
      {Array.from({ length: PLACES }, (_, place) => (
        <li key={place} className="card waiting" aria-hidden="true" />
      ))}
    </ul>
  );
}

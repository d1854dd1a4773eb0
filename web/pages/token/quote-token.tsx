import { Link } from 'wouter';
import { usePairs } from '../../api/pairs.ts';
import type { Pair } from '../../api/types.ts';
import { usd } from '../../format/numbers.ts';
import { Answered, Waiting } from '../../parts/answered.tsx';
import { CreatorText } from '../../parts/creator-text.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Picture } from '../../parts/picture.tsx';
import { NotFoundPage } from '../not-found-page.tsx';

export function QuoteTokenOrNothing({ mint }: { readonly mint: string }) {
  return (
    <Answered asked={usePairs()} waiting={<Waiting rows={8} />}>
      {(pairs) => {
        const pair = pairs.find((one) => one.mint === mint);
        return pair === undefined ? <NotFoundPage /> : <QuoteToken pair={pair} />;
      }}
    </Answered>
  );
}

function QuoteToken({ pair }: { readonly pair: Pair }) {
  return (
    <section className="panel">
      <header className="token-header">
        <Picture url={pair.logoUrl} symbol={pair.symbol} size={72} />
        <div className="token-name">
          <h1>
            <CreatorText>{pair.name}</CreatorText>
          </h1>
          <p>
            <CreatorText>{pair.symbol}</CreatorText> · {pair.categoryLabel} · {usd(pair.priceUsd)}
          </p>
          <OnChain kind="address" id={pair.mint} what="token address" letters={6} />
        </div>
      </header>
      <p>
        Tokens here are paired with it. <Link href={`/?quoteMint=${pair.mint}`}>See them all</Link>
      </p>
    </section>
  );
}

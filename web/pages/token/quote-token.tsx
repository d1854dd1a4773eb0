import { Link } from 'wouter';
import type { OneToken, Token } from '../../api/types.ts';
import { usd } from '../../format/numbers.ts';
import { CreatorText } from '../../parts/creator-text.tsx';
import { OnChain } from '../../parts/on-chain.tsx';
import { Picture } from '../../parts/picture.tsx';

/** A token that others are paired with; it was not launched here. */
export function QuoteToken({ token }: { readonly token: Exclude<OneToken['token'], Token> }) {
  return (
    <section className="panel">
      <header className="token-header">
        <Picture url={token.logoUrl} symbol={token.symbol} size={72} />
        <div className="token-name">
          <h1>
            <CreatorText>{token.name}</CreatorText>
          </h1>
          <p>
            <CreatorText>{token.symbol}</CreatorText> · {token.categoryLabel} · {usd(token.market.priceUsd)}
          </p>
          <OnChain kind="address" id={token.mint} what="token address" letters={6} />
        </div>
      </header>
      <p>
        Tokens here are paired with it. <Link href={`/?quoteMint=${token.mint}`}>See them all</Link>
      </p>
    </section>
  );
}

import type { Token } from '../api/types.ts';
import { CreatorText } from './creator-text.tsx';
import { IS_TAXED } from '../../client/launch/check-quote.ts';

export function Badges({ token }: { readonly token: Token }) {
  const { similarTo } = token;
  return (
    <span className="badges">
      {similarTo && similarTo.kind !== 'token' && (
        <span
          className="badge caution"
          title={`Its name or symbol looks like that of ${similarTo.mint}, another token`}
        >
          Not <CreatorText>{similarTo.symbol}</CreatorText>
        </span>
      )}
      {IS_TAXED[token.mode] && <span className="badge reward">Reward {(token.transferFee?.bps ?? 0) / 100} %</span>}
      {token.flywheel && <span className="badge">Flywheel</span>}
      <span className="badge quiet">
        / <CreatorText>{token.quoteSymbol}</CreatorText>
      </span>
    </span>
  );
}

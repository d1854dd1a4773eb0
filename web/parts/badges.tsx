import type { Token } from '../api/types.ts';
import { CreatorText } from './creator-text.tsx';

/** What kind of token it is, in a word or two. */
export function Badges({ token }: { readonly token: Token }) {
  return (
    <span className="badges">
      {token.mode === 'reward' && <span className="badge reward">Reward {(token.transferFee?.bps ?? 0) / 100} %</span>}
      {token.flywheel && <span className="badge">Flywheel</span>}
      <span className="badge quiet">
        / <CreatorText>{token.quoteSymbol}</CreatorText>
      </span>
    </span>
  );
}

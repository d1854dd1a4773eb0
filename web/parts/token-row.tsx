import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { CreatorText } from './creator-text.tsx';
import { Picture } from './picture.tsx';

interface TokenRowProps {
  readonly token: {
    readonly mint: string;
    readonly name: string;
    readonly symbol: string;
    readonly logoUrl: string | null;
  };
  readonly about: ReactNode;
  readonly children: ReactNode;
}

export function TokenRow({ token: { mint, name, symbol, logoUrl }, about, children }: TokenRowProps) {
  return (
    <li className="panel row">
      <Picture url={logoUrl} symbol={symbol} size={44} />
      <div className="row-name">
        <Link href={`/tokens/${mint}`}>
          <CreatorText>{name}</CreatorText>
        </Link>
        <small>{about}</small>
      </div>
      {children}
    </li>
  );
}

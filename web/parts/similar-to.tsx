import { Link } from 'wouter';
import type { Token } from '../api/types.ts';
import { Notice } from './answered.tsx';
import { CreatorText } from './creator-text.tsx';

const WHY = {
  sameSymbol: 'has the symbol of',
  similarSymbol: 'has a symbol that looks like that of',
  sameName: 'has the name of',
  similarName: 'has a name that looks like that of',
} as const;

const KINDS = { pair: 'a listed quote token', graduated: 'a graduated token', token: 'an earlier token' } as const;

export function SimilarTo({ similarTo }: { readonly similarTo: NonNullable<Token['similarTo']> }) {
  const { mint, name, symbol, kind, why } = similarTo;
  return (
    <Notice kind="warn">
      This token {WHY[why]}{' '}
      <Link href={`/tokens/${mint}`}>
        <CreatorText>{symbol}</CreatorText> · <CreatorText>{name}</CreatorText>
      </Link>
      , {KINDS[kind]} at another address ({mint.slice(0, 4)}…{mint.slice(-4)}).
    </Notice>
  );
}

import { number } from '../format/numbers.ts';
import { CreatorText } from './creator-text.tsx';

interface AmountProps {
  /** Whole tokens. */
  readonly tokens: number | null | undefined;
  readonly symbol: string;
}

export function Amount({ tokens, symbol }: AmountProps) {
  return (
    <>
      {number(tokens)} <CreatorText>{symbol}</CreatorText>
    </>
  );
}

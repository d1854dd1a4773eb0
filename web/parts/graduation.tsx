import type { Token } from '../api/types.ts';
import { percent } from '../format/numbers.ts';

const WORDS = { new: 'New', aboutToGraduate: 'About to graduate', graduated: 'Graduated' } as const;

export function statusWord(status: Token['status']): string {
  return WORDS[status];
}

export function Graduation({ token }: { readonly token: Token }) {
  const value = Math.min(1, token.graduationProgress) * 100;
  return (
    <div className={`graduation ${token.status}`}>
      <div className="graduation-words">
        <span>{statusWord(token.status)}</span>
        <span>{percent(value, value < 10 ? 1 : 0)} of the way</span>
      </div>
      <progress max={100} value={value} aria-label="Progress to graduation" />
    </div>
  );
}

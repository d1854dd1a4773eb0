import { useEffect, useState } from 'react';
import { usePairs } from '../../api/pairs.ts';
import { isolated } from '../../format/texts.ts';
import { type Choice, Segments } from '../../parts/segments.tsx';
import type { TokenFilter } from './filter.ts';

type Change = (changed: Readonly<Record<string, string>>) => void;

const SORTS: readonly Choice<NonNullable<TokenFilter['sort']>>[] = [
  ['marketCap', 'Market cap'],
  ['volume', 'Volume'],
  ['newest', 'Newest'],
];
const STATUSES: readonly Choice<'' | NonNullable<TokenFilter['status']>>[] = [
  ['', 'All'],
  ['new', 'New'],
  ['aboutToGraduate', 'Graduating'],
  ['graduated', 'Graduated'],
];
const MODES: readonly Choice<'' | NonNullable<TokenFilter['mode']>>[] = [
  ['', 'Any kind'],
  ['standard', 'Standard'],
  ['reward', 'Reward'],
];

/** Search, filters and order of the list. */
export function Filters({ filter, onChange }: { readonly filter: TokenFilter; readonly onChange: Change }) {
  return (
    <div className="filters" role="search">
      <Search q={filter.q ?? ''} onChange={onChange} />
      <Segments
        label="Order"
        choices={SORTS}
        value={filter.sort ?? 'marketCap'}
        onChange={(sort) => onChange({ sort })}
      />
      <Segments
        label="Status"
        choices={STATUSES}
        value={filter.status ?? ''}
        onChange={(status) => onChange({ status })}
      />
      <Segments label="Kind" choices={MODES} value={filter.mode ?? ''} onChange={(mode) => onChange({ mode })} />
      <PairFilter filter={filter} onChange={onChange} />
    </div>
  );
}

const TYPING_MS = 250;

/** What is typed is looked for when the typing pauses. */
function Search({ q, onChange }: { readonly q: string; readonly onChange: Change }) {
  const [text, setText] = useState(q);
  useEffect(() => {
    if (text.trim() === q) return undefined;
    const timer = setTimeout(() => onChange({ q: text.trim() }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <input
      type="search"
      className="search"
      placeholder="Name, symbol or address"
      aria-label="Search tokens by name, symbol or address"
      value={text}
      maxLength={64}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

/** By the paired token, or by its category. */
function PairFilter({ filter, onChange }: { readonly filter: TokenFilter; readonly onChange: Change }) {
  const pairs = usePairs().data ?? [];
  const categories = new Map(pairs.map(({ category, categoryLabel }) => [category, categoryLabel]));
  const choose = (value: string) => {
    const [kind = '', id = ''] = value.split('/');
    onChange({ quoteMint: kind === 'mint' ? id : '', category: kind === 'category' ? id : '' });
  };
  const value = filter.quoteMint ? `mint/${filter.quoteMint}` : filter.category ? `category/${filter.category}` : '';
  return (
    <select aria-label="Paired with" value={value} onChange={({ target }) => choose(target.value)}>
      <option value="">Paired with anything</option>
      <optgroup label="Category">
        {[...categories].map(([category, label]) => (
          <option key={category} value={`category/${category}`}>
            {label}
          </option>
        ))}
      </optgroup>
      <optgroup label="Token">
        {pairs.map(({ mint, symbol, name }) => (
          <option key={mint} value={`mint/${mint}`}>
            {isolated(symbol)} · {isolated(name)}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

import { useEffect, useState } from 'react';
import { usePairs } from '../../api/pairs.ts';
import { isolated } from '../../format/texts.ts';
import { type Choice, Segments } from '../../parts/segments.tsx';
import type { TokenFilter } from './filter.ts';
import { RANGES, Ranges } from './ranges.tsx';

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

export function Filters({ filter, onChange }: { readonly filter: TokenFilter; readonly onChange: Change }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="filters" role="search">
      <Search q={filter.q ?? ''} onChange={onChange} />
      <button
        type="button"
        className="button quiet fold-button"
        aria-expanded={isOpen}
        aria-controls="token-filters"
        onClick={() => setOpen(!isOpen)}
      >
        {filtersNamed(filter)}
      </button>
      <div id="token-filters" className={isOpen ? 'fold open' : 'fold'}>
        <Choices filter={filter} onChange={onChange} />
        <Ranges filter={filter} onChange={onChange} />
      </div>
    </div>
  );
}

/** Says how many are set, because a phone folds them. */
function filtersNamed({ mode, status, quoteMint, category, ...filter }: TokenFilter): string {
  const set = [mode, status, quoteMint ?? category, ...RANGES.map(([name]) => filter[name])];
  const count = set.filter((value) => value !== undefined).length;
  return count === 0 ? 'Filters' : `Filters (${count})`;
}

function Choices({ filter, onChange }: { readonly filter: TokenFilter; readonly onChange: Change }) {
  return (
    <>
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
    </>
  );
}

const TYPING_MS = 250;

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

import { useEffect, useRef, useState } from 'react';
import type { TokenFilter } from './filter.ts';

type Change = (changed: Readonly<Record<string, string>>) => void;
type Kind = 'amount' | 'day';

/** Parameters of ranges, how they are asked for and what they say. */
export const RANGES = [
  ['minMarketCapUsd', 'amount', 'Cap from, $'],
  ['maxMarketCapUsd', 'amount', 'Cap to, $'],
  ['minVolume24hUsd', 'amount', 'Volume from, $'],
  ['createdAfter', 'day', 'Launched from'],
  ['createdBefore', 'day', 'Launched before'],
] as const satisfies readonly (readonly [keyof TokenFilter, Kind, string])[];

export function Ranges({ filter, onChange }: { readonly filter: TokenFilter; readonly onChange: Change }) {
  return (
    <fieldset className="ranges">
      <legend className="sr-only">Market cap, volume and time of launch</legend>
      {RANGES.map(([name, kind, label]) => (
        <RangeField
          key={name}
          kind={kind}
          label={label}
          value={shown(filter[name])}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </fieldset>
  );
}

/** A day is kept as the time it begins at. */
function shown(value: number | string | undefined): string {
  return value === undefined ? '' : String(value).replace(/T.*/, '');
}

const TYPING_MS = 400;

interface RangeFieldProps {
  readonly kind: Kind;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function RangeField({ kind, label, value, onChange }: RangeFieldProps) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Text that is being typed, such as `1.`, has no value of its own yet.
    if (document.activeElement !== input.current) setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="range">
      <span>{label}</span>
      <input
        ref={input}
        type={kind === 'day' ? 'date' : 'text'}
        inputMode={kind === 'day' ? undefined : 'decimal'}
        value={text}
        maxLength={16}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}

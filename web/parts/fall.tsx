import type { ReactNode } from 'react';
import { exactTokens, roundedTokens } from '../format/raw-amounts.ts';
import { CreatorText } from './creator-text.tsx';
import { Table } from './table.tsx';
import type { Step } from '../proof/waterfall.ts';

interface FallProps {
  readonly symbol: string;
  readonly decimals: number;
  readonly steps: readonly Step[];
}

const SIGNS = { in: '+', out: '−', held: '=' } as const;

/** A waterfall: where each bar ends the next begins, down to what is held. */
export function Fall({ symbol, decimals, steps }: FallProps) {
  if (steps.length === 0) return null;
  const title: ReactNode = <CreatorText>{symbol}</CreatorText>;
  return (
    <Table label={`Waterfall of \u2068${symbol}\u2069`} columns={['Movement', 'Part', { figures: title }]}>
      {steps.map(({ name, kind, raw, from, to }) => (
        <tr key={`${kind}/${name}`} className={`fall ${kind}`}>
          <td>{name}</td>
          <td className="fall-bar">
            <Bar from={from} to={to} />
          </td>
          <td className="right" title={`${exactTokens(raw, decimals)}, every digit`}>
            {SIGNS[kind]} {roundedTokens(raw, decimals)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** In percent; a sum that is small beside the largest still shows. */
const LEAST_WIDTH = 0.6;

function Bar({ from, to }: { readonly from: number; readonly to: number }) {
  const [left, right] = [Math.min(from, to) * 100, Math.max(from, to) * 100];
  const width = Math.max(right - left, LEAST_WIDTH);
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect x={Math.max(0, Math.min(left, 100 - width))} width={width} height={10} />
    </svg>
  );
}

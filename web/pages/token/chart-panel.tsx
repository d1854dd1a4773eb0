import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/api.ts';
import type { Token } from '../../api/types.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Answered } from '../../parts/answered.tsx';
import { LostPart } from '../../parts/lost-part.tsx';
import { type Choice, Segments } from '../../parts/segments.tsx';

const CandleChart = lazy(() => import('./candle-chart.tsx'));

const EVERY_MS = 4_000;
/** The most that the API answers. */
const LIMIT = 100;

type Interval = '1m' | '5m' | '15m' | '1h' | '4h' | '1d';
const INTERVALS: readonly Choice<Interval>[] = [
  ['1m', '1m'],
  ['5m', '5m'],
  ['15m', '15m'],
  ['1h', '1h'],
  ['4h', '4h'],
  ['1d', '1d'],
];
type Currency = 'usd' | 'quote';

export function ChartPanel({ token }: { readonly token: Token }) {
  const { mint, quoteSymbol } = token;
  const [interval, setInterval] = useState<Interval>('1m');
  const [currency, setCurrency] = useState<Currency>('usd');
  const query = { interval, currency, limit: LIMIT };
  const asked = useAnswer(
    ['candles', mint, query],
    (signal) => api.ask('GET /tokens/{mint}/candles', { path: { mint }, query, signal }),
    // Never one currency's prices as another's.
    { everyMs: EVERY_MS, on: { subjects: ['trade'] }, keepsPrevious: false },
  );
  const currencies: readonly Choice<Currency>[] = [
    ['usd', 'USD'],
    ['quote', quoteSymbol],
  ];
  return (
    <section className="panel chart-panel" aria-labelledby="chart-title">
      <div className="panel-head">
        <h2 id="chart-title">Price</h2>
        <Segments label="Span of a candle" choices={INTERVALS} value={interval} onChange={setInterval} />
        <Segments label="Currency" choices={currencies} value={currency} onChange={setCurrency} />
      </div>
      <div className="chart-place">
        <Answered asked={asked}>
          {({ candles, hasEarlier }) =>
            candles.length === 0 ? (
              <Empty hasEarlier={hasEarlier} interval={interval} onLongest={() => setInterval('1d')} />
            ) : (
              <LostPart place={mint}>
                <Suspense>
                  <CandleChart candles={candles} />
                </Suspense>
              </LostPart>
            )
          }
        </Answered>
      </div>
      <p className="hint">
        Charts by{' '}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer noopener">
          TradingView
        </a>
      </p>
    </section>
  );
}

interface EmptyProps {
  readonly hasEarlier: boolean;
  readonly interval: Interval;
  readonly onLongest: () => void;
}

function Empty({ hasEarlier, interval, onLongest }: EmptyProps) {
  if (!hasEarlier) return <p className="empty">No trade yet. The price stands where the pool opened.</p>;
  return (
    <div className="empty">
      <p>
        No trade in the last {LIMIT} spans of {interval}.
      </p>
      {interval !== '1d' && (
        <button type="button" className="button quiet" onClick={onLongest}>
          Show days
        </button>
      )}
    </div>
  );
}

import { CandlestickSeries, createChart, HistogramSeries, type IChartApi, type UTCTimestamp } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import type { Answer } from '../../../client/index.ts';
import { number, significant } from '../../format/numbers.ts';
import { type ChartColours, useChartColours } from '../../parts/chart-colours.ts';
import { chartOptions } from '../../parts/chart-options.ts';
import { takeTurn } from '../../parts/turn.tsx';

type Candle = Answer<'GET /tokens/{mint}/candles'>['candles'][number];

/** Labels differ in late digits. */
const AXIS_DIGITS = 5;

/** Width of a character, and padding; px. */
const [LETTER_PX, AROUND_PX] = [7.7, 18];

type Show = (candles: readonly Candle[]) => void;

export default function CandleChart({ candles }: { readonly candles: readonly Candle[] }) {
  const place = useRef<HTMLDivElement>(null);
  const newest = useRef(candles);
  const shows = useRef<readonly Show[]>([]);
  const colours = useChartColours();
  useEffect(() => {
    if (!place.current) return undefined;
    const chart = createChart(place.current, chartOptions(colours));
    chart.applyOptions({ rightPriceScale: { minimumWidth: scaleWidth(newest.current) } });
    // Together they would be one long task.
    const turns = [pricesOf, volumesOf].map((seriesOf) =>
      takeTurn(() => {
        const show = seriesOf(chart, colours);
        show(newest.current);
        shows.current = [...shows.current, show];
      }),
    );
    return () => {
      for (const giveUp of turns) giveUp();
      shows.current = [];
      chart.remove();
    };
  }, [colours]);
  useEffect(() => {
    newest.current = candles;
    for (const show of shows.current) show(candles);
  }, [candles]);
  return <div ref={place} className="chart" role="img" aria-label={inWords(candles)} />;
}

function inWords(candles: readonly Candle[]): string {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return 'No prices yet';
  return `Prices from ${number(first.open)} to ${number(last.close)} in ${candles.length} spans`;
}

/** px. A later change would redraw all. */
function scaleWidth(candles: readonly Candle[]): number {
  const lowest = Math.min(...candles.map(({ low }) => low));
  const zeros = lowest > 0 ? Math.max(0, -Math.floor(Math.log10(lowest))) : 0;
  return Math.ceil((zeros + '.'.length + AXIS_DIGITS) * LETTER_PX) + AROUND_PX;
}

function pricesOf(chart: IChartApi, { good: upColor, bad: downColor }: ChartColours): Show {
  const prices = chart.addSeries(CandlestickSeries, {
    upColor,
    downColor,
    wickUpColor: upColor,
    wickDownColor: downColor,
    borderVisible: false,
    priceFormat: {
      type: 'custom',
      formatter: (price: number) => (price <= 0 ? '' : significant(price, AXIS_DIGITS)),
      minMove: 1e-12,
    },
  });
  prices.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
  let isFitted = false;
  return (candles) => {
    prices.setData(
      candles.map(({ startedAt, open, high, low, close }) => ({ time: timeOf(startedAt), open, high, low, close })),
    );
    if (!isFitted) chart.timeScale().fitContent();
    isFitted = true;
  };
}

function volumesOf(chart: IChartApi, { volume: color }: ChartColours): Show {
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    color,
    // In the table; here it would look like a price.
    lastValueVisible: false,
    priceLineVisible: false,
    priceFormat: { type: 'volume' },
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  return (candles) => {
    volumes.setData(candles.map(({ startedAt, volumeUsd }) => ({ time: timeOf(startedAt), value: volumeUsd ?? 0 })));
  };
}

function timeOf(moment: string): UTCTimestamp {
  return Math.floor(Date.parse(moment) / 1_000) as UTCTimestamp;
}

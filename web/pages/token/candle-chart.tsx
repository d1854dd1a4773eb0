import { CandlestickSeries, createChart, HistogramSeries, type IChartApi, type UTCTimestamp } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import type { Answer } from '../../../client/index.ts';
import { number, significant } from '../../format/numbers.ts';
import { type ChartColours, useChartColours } from '../../parts/chart-colours.ts';
import { chartOptions } from '../../parts/chart-options.ts';

type Candle = Answer<'GET /tokens/{mint}/candles'>['candles'][number];

/** Neighbours on the scale differ in late digits. */
const AXIS_DIGITS = 5;

interface Drawn {
  readonly chart: IChartApi;
  readonly show: (candles: readonly Candle[]) => void;
}

/** Candles with their volume, drawn by TradingView's Lightweight Charts. */
export default function CandleChart({ candles }: { readonly candles: readonly Candle[] }) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const colours = useChartColours();
  useEffect(() => {
    if (!place.current) return undefined;
    const made = draw(place.current, colours);
    drawn.current = made;
    made.show(candles);
    return () => {
      made.chart.remove();
    };
  }, [colours]);
  useEffect(() => {
    drawn.current?.show(candles);
  }, [candles]);
  return <div ref={place} className="chart" role="img" aria-label={inWords(candles)} />;
}

function inWords(candles: readonly Candle[]): string {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return 'No prices yet';
  return `Prices from ${number(first.open)} to ${number(last.close)} in ${candles.length} spans`;
}

function draw(place: HTMLElement, colours: ChartColours): Drawn {
  const chart = createChart(place, chartOptions(colours));
  const { good: upColor, bad: downColor } = colours;
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
  const volumes = chart.addSeries(HistogramSeries, {
    priceScaleId: '',
    color: colours.volume,
    // Its figures stand in the table below; on the scale of prices they would be read as one.
    lastValueVisible: false,
    priceLineVisible: false,
    priceFormat: { type: 'volume' },
  });
  volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } });
  prices.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.24 } });
  let shown = 0;
  return {
    chart,
    show(candles) {
      prices.setData(
        candles.map(({ startedAt, open, high, low, close }) => ({ time: timeOf(startedAt), open, high, low, close })),
      );
      volumes.setData(candles.map(({ startedAt, volumeUsd }) => ({ time: timeOf(startedAt), value: volumeUsd ?? 0 })));
      if (shown === 0) chart.timeScale().fitContent();
      shown = candles.length;
    },
  };
}

function timeOf(moment: string): UTCTimestamp {
  return Math.floor(Date.parse(moment) / 1_000) as UTCTimestamp;
}

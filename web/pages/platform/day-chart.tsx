import { createChart, HistogramSeries } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { usd } from '../../format/numbers.ts';
import { useChartColours } from '../../parts/chart-colours.ts';
import { chartOptions } from '../../parts/chart-options.ts';
import type { Day } from './days.ts';

export default function DayChart({ what, days }: { readonly what: string; readonly days: readonly Day[] }) {
  const place = useRef<HTMLDivElement>(null);
  const colours = useChartColours();
  useEffect(() => {
    if (!place.current) return undefined;
    const chart = createChart(place.current, chartOptions(colours, 'days'));
    const bars = chart.addSeries(HistogramSeries, {
      color: colours.accent,
      lastValueVisible: false,
      priceLineVisible: false,
      priceFormat: { type: 'custom', formatter: usd, minMove: 0.01 },
    });
    bars.setData(days.map(({ date, value }) => ({ time: date, value })));
    chart.timeScale().fitContent();
    return () => {
      chart.remove();
    };
  }, [days, colours]);
  const total = days.reduce((sum, { value }) => sum + value, 0);
  return (
    <div
      ref={place}
      className="day-chart"
      role="img"
      aria-label={`${what} on ${days.length} days, ${usd(total)} together`}
    />
  );
}

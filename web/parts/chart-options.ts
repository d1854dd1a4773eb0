import { ColorType, type DeepPartial, type ChartOptions, TickMarkType, type Time } from 'lightweight-charts';
import { MONTHS } from '../format/texts.ts';
import type { ChartColours } from './chart-colours.ts';

/** The library's logo needs an inline style: text names it. */
export function chartOptions(
  { ink, line }: ChartColours,
  spans: 'days' | 'moments' = 'moments',
): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: ink,
      attributionLogo: false,
      fontFamily: getComputedStyle(document.body).fontFamily,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: line } },
    rightPriceScale: { borderVisible: false },
    timeScale: {
      borderVisible: false,
      timeVisible: spans === 'moments',
      secondsVisible: false,
      tickMarkFormatter: tickMark,
      rightOffset: 2,
      maxBarSpacing: 24,
    },
    handleScroll: { vertTouchDrag: false },
  };
}

/** UTC; `Intl`'s first use blocks a phone. */
function tickMark(time: Time, type: TickMarkType): string {
  const at = new Date(msOf(time));
  switch (type) {
    case TickMarkType.Year:
      return String(at.getUTCFullYear());
    case TickMarkType.Month:
      return MONTHS[at.getUTCMonth()] ?? '';
    case TickMarkType.DayOfMonth:
      return String(at.getUTCDate());
    case TickMarkType.Time:
      return at.toISOString().slice(11, 16);
    case TickMarkType.TimeWithSeconds:
      return at.toISOString().slice(11, 19);
  }
}

function msOf(time: Time): number {
  if (typeof time === 'number') return time * 1_000;
  return typeof time === 'string' ? Date.parse(time) : Date.UTC(time.year, time.month - 1, time.day);
}

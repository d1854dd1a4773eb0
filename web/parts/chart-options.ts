import { ColorType, type DeepPartial, type ChartOptions } from 'lightweight-charts';
import type { ChartColours } from './chart-colours.ts';

/** How every chart of the site looks. Its maker is named beside it in words: the library's own mark needs an inline style. */
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
      rightOffset: 2,
      maxBarSpacing: 24,
    },
    handleScroll: { vertTouchDrag: false },
  };
}

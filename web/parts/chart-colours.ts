import { useEffect, useState } from 'react';

/** Colours of a chart, which draws on a canvas and so must be told. */
export interface ChartColours {
  readonly ink: string;
  readonly line: string;
  readonly good: string;
  readonly bad: string;
  readonly accent: string;
  readonly volume: string;
}

/** The colours of the page as it is now, and again whenever its theme changes. */
export function useChartColours(): ChartColours {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const read = () => setColours(readColours());
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', read);
    addEventListener('themechange', read);
    return () => {
      system.removeEventListener('change', read);
      removeEventListener('themechange', read);
    };
  }, []);
  return colours;
}

function readColours(): ChartColours {
  return {
    ink: resolved('--ink-quiet'),
    line: resolved('--line'),
    good: resolved('--good'),
    bad: resolved('--bad'),
    accent: resolved('--accent'),
    volume: resolved('--line-strong'),
  };
}

/** What a token of the style sheet comes to in the present theme, as rgb. */
function resolved(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

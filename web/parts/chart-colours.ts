import { useEffect, useState } from 'react';

export interface ChartColours {
  readonly ink: string;
  readonly line: string;
  readonly good: string;
  readonly bad: string;
  readonly accent: string;
  readonly volume: string;
}

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

function resolved(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

import { chosen, remember } from '../storage/browser-storage.ts';

const KEY = 'slipway:theme';

/** Default: the system's. */
export type Theme = 'system' | 'light' | 'dark';

export function chosenTheme(): Theme {
  const kept = chosen(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function applyTheme(): void {
  show(chosenTheme());
}

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  show(theme);
  remember(KEY, theme);
}

export function isDark(): boolean {
  const theme = chosenTheme();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

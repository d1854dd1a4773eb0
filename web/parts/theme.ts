import { chosen, remember } from '../storage/browser-storage.ts';

const KEY = 'slipway:theme';

/** Which colours: those of the system, until somebody says otherwise. */
export type Theme = 'system' | 'light' | 'dark';

/** The theme that was chosen here. */
export function chosenTheme(): Theme {
  const kept = chosen(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Shows the page in the chosen theme. */
export function applyTheme(): void {
  show(chosenTheme());
}

function show(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Chooses a theme and shows it. */
export function chooseTheme(theme: Theme): void {
  show(theme);
  remember(KEY, theme);
}

/** Whether the page is dark now, whoever decided it. */
export function isDark(): boolean {
  const theme = chosenTheme();
  return theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

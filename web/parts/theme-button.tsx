import { useState } from 'react';
import { Icon } from './icon.tsx';
import { chooseTheme, isDark } from './theme.ts';

export function ThemeButton() {
  const [dark, setDark] = useState(isDark);
  const turn = () => {
    chooseTheme(dark ? 'light' : 'dark');
    setDark(!dark);
    dispatchEvent(new Event('themechange'));
  };
  return (
    <button type="button" className="icon-button" onClick={turn} aria-label={dark ? 'Light colours' : 'Dark colours'}>
      <Icon name={dark ? 'sun' : 'moon'} />
    </button>
  );
}

/** The theme of the screen: dark for the foyer, very bright for the street at noon; remembered on this phone. */
import { useSyncExternalStore } from 'react';
import { observable } from '#apps/scanner/observable.ts';

const themes = ['dark', 'sun'] as const;
type Theme = (typeof themes)[number];

// Not with the other facts about the phone: it must be known before the first frame, and Dexie answers later.
const key = 'scanner.theme';
const barColours: Record<Theme, string> = { dark: '#0d1117', sun: '#ffffff' };
const theme = observable(readTheme());

function readTheme(): Theme {
  try {
    return themes.find((known) => known === localStorage.getItem(key)) ?? 'dark';
  } catch {
    return 'dark';
  }
}

/** Puts the theme on the page; call it once before the first frame. */
export function showTheme(): void {
  document.documentElement.dataset['theme'] = theme.read();
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', barColours[theme.read()]);
}

export function changeTheme(next: Theme): void {
  theme.write(next);
  showTheme();
  try {
    localStorage.setItem(key, next);
  } catch {
    // Storage is closed: it lasts as long as the app is open.
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore(theme.subscribe, theme.read);
}

/**
 * The theme of the screen: dark for the foyer, very bright for the street at noon; stored on this
 * phone.
 */
import { useSyncExternalStore } from 'react';
import { accentAtDoor, type Accent, type Tones } from '#server/domain/site/colour.ts';
import { observable } from '#apps/scanner/kit/observable.ts';

const themes = ['dark', 'sun'] as const;
type Theme = (typeof themes)[number];

// In localStorage, not in Dexie: the theme is needed before the first frame, and Dexie answers
// later.
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

/** The house's colour, where it is legible and cannot be mistaken for a verdict. */
let accent: ReturnType<typeof accentAtDoor> = null;
const properties: Record<keyof Tones, string> = {
  primary: '--primary',
  on: '--on-primary',
  strong: '--primary-strong',
  soft: '--primary-soft',
};

export function applyAccent(colours: Accent | null): void {
  accent = accentAtDoor(colours);
  showAccent();
}

function showAccent(): void {
  const tones = accent?.[theme.read() === 'sun' ? 'light' : 'dark'];
  const { style } = document.documentElement;
  for (const [tone, property] of Object.entries(properties) as [keyof Tones, string][])
    if (tones) style.setProperty(property, tones[tone]);
    else style.removeProperty(property);
}

/** Applies the theme to the page; call it once before the first frame. */
export function showTheme(): void {
  document.documentElement.dataset['theme'] = theme.read();
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', barColours[theme.read()]);
  showAccent();
}

export function changeTheme(next: Theme): void {
  theme.write(next);
  showTheme();
  try {
    localStorage.setItem(key, next);
  } catch {
    // Without storage the theme lasts as long as the app is open.
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore(theme.subscribe, theme.read);
}

/** The colours of the office: the system's, or chosen on this computer. */
import { useSyncExternalStore } from 'react';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'office.theme';
const listeners = new Set<() => void>();
let theme: Theme = 'auto';

/** Puts the theme on the page; call it once before the first frame. */
export function startTheme(): void {
  try {
    theme = themes.find((known) => known === localStorage.getItem(key)) ?? 'auto';
  } catch {
    // Without storage the system decides.
  }
  document.documentElement.dataset['theme'] = theme;
}

export function changeTheme(next: Theme): void {
  theme = next;
  document.documentElement.dataset['theme'] = next;
  try {
    localStorage.setItem(key, next);
  } catch {
    // Without storage it lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme);
}

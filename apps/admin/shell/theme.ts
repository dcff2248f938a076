/** The office's theme: the system's, or the one chosen in this browser. */
import { useSyncExternalStore } from 'react';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'office.theme';
const listeners = new Set<() => void>();
let theme: Theme = 'auto';

/** Applies the theme; call it before the first frame. */
export function startTheme(): void {
  try {
    theme = themes.find((known) => known === localStorage.getItem(key)) ?? 'auto';
  } catch {
    // Without storage the system's theme applies.
  }
  document.documentElement.dataset['theme'] = theme;
}

export function changeTheme(next: Theme): void {
  theme = next;
  document.documentElement.dataset['theme'] = next;
  try {
    localStorage.setItem(key, next);
  } catch {
    // Without storage the choice ends with the page.
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

/** Dark or light: the visitor's choice in this browser, or else the system's. */
import { useSyncExternalStore } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { keptText } from './kept-text.ts';
import styles from './theme-switch.module.css';

/** The script of server/http/first-script.ts reads it before the first frame. */
const kept = keptText('localStorage', 'botteghino.theme.1');
const listeners = new Set<() => void>();

function isLight(): boolean {
  const { theme } = document.documentElement.dataset;
  return (
    theme === 'light' || (theme === 'auto' && matchMedia('(prefers-color-scheme: light)').matches)
  );
}

function subscribe(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: light)');
  system.addEventListener('change', listener);
  listeners.add(listener);
  return () => {
    system.removeEventListener('change', listener);
    listeners.delete(listener);
  };
}

function choose(theme: 'light' | 'dark'): void {
  document.documentElement.dataset['theme'] = theme;
  kept.write(theme);
  for (const listener of listeners) listener();
}

export function ThemeSwitch() {
  const light = useSyncExternalStore(subscribe, isLight, () => false);
  const words = light ? 'Passa ai colori scuri' : 'Passa ai colori chiari';
  return (
    <button
      type="button"
      className={`${styles.button} no-print needs-script`}
      aria-label={words}
      title={words}
      onClick={() => choose(light ? 'dark' : 'light')}
    >
      <Icon name={light ? 'moon' : 'sun'} />
    </button>
  );
}

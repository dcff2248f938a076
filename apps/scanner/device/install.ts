/** Installation on the home screen: storage of an installed app is safer, and it opens without the browser's bars. */
import { useSyncExternalStore } from 'react';
import { askToPersist } from './pairing.ts';
import { writeMeta } from '#apps/scanner/scan/phone.ts';

/** Chromium's own event, not in the DOM's types. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

let offered: InstallPrompt | null = null;
const listeners = new Set<() => void>();

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  keep(event as InstallPrompt);
});
addEventListener('appinstalled', () => {
  keep(null);
  void notePersisted({ asks: true });
});

function keep(prompt: InstallPrompt | null): void {
  offered = prompt;
  for (const listener of listeners) listener();
}

/** A function that asks, or null where the browser cannot (iOS, already installed). */
export function useInstall(): (() => Promise<void>) | null {
  const prompt = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );
  return (
    prompt &&
    (async () => {
      await prompt.prompt();
      if ((await prompt.userChoice).outcome === 'accepted') keep(null);
    })
  );
}

/** Only Apple's phones say it. */
const { standalone } = navigator as Navigator & { standalone?: boolean };

export function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone)').matches || standalone === true;
}

/** A tab of an iPhone: the app on its home screen has storage of its own, and a link never opens there. */
export function isTabOfApple(): boolean {
  return standalone === false;
}

/** The system decides by itself too, and changes its mind with the installation: what it said once is not what holds. Before that nobody is asked unbidden: Firefox would ask the person. */
export async function notePersisted({ asks = isInstalled() } = {}): Promise<void> {
  try {
    await writeMeta(
      'persisted',
      (await navigator.storage?.persisted?.()) || (asks && (await askToPersist())),
    );
  } catch {
    // A memory that does not answer is said by the screen that needs it.
  }
}

/** iPhones and iPads install by hand only; newer iPads call themselves a Mac. */
export function isApple(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  );
}

/** Where no button can do it. */
export const addByHand = 'In Safari tocca Condividi, poi «Aggiungi alla schermata Home»';

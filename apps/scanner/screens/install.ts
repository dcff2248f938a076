/**
 * Installation on the home screen: storage of an installed app is safer, and it opens without the
 * browser's bars.
 */
import { useSyncExternalStore } from 'react';
import { observable } from '#apps/scanner/kit/observable.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { askToPersist } from '#apps/scanner/device/pairing.ts';

/** Chromium's own event, not in the DOM's types. */
interface InstallPrompt extends Event {
  prompt(): Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

const offered = observable<InstallPrompt | null>(null);

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offered.write(event as InstallPrompt);
});
addEventListener('appinstalled', () => {
  offered.write(null);
  void notePersisted({ asks: true });
});

/** A function that asks, or null where the browser cannot (iOS, already installed). */
export function useInstall(): (() => Promise<void>) | null {
  const prompt = useSyncExternalStore(offered.subscribe, offered.read);
  return (
    prompt &&
    (async () => {
      await prompt.prompt();
      if ((await prompt.userChoice).outcome === 'accepted') offered.write(null);
    })
  );
}

/** Only Apple's phones say it. */
const { standalone } = navigator as Navigator & { standalone?: boolean };

export function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone)').matches || standalone === true;
}

/**
 * A tab of an iPhone: the app on its home screen has storage of its own, and a link never opens
 * there.
 */
export function isTabOfApple(): boolean {
  return standalone === false;
}

/**
 * The system decides by itself too, and may change its mind with the installation, so it is asked
 * each time. Before installation it is not asked unbidden, because Firefox would ask the person.
 */
export async function notePersisted({ asks = isInstalled() } = {}): Promise<void> {
  try {
    await phone.writeMeta(
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

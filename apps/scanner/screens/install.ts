/**
 * Installation on the home screen: an installed app has safer storage, and opens without the
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

/**
 * A function that asks the person to install, or null where the browser cannot (iOS, already
 * installed).
 */
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

/** Only Apple's browsers have this property. */
const { standalone } = navigator as Navigator & { standalone?: boolean };

export function isInstalled(): boolean {
  return matchMedia('(display-mode: standalone)').matches || standalone === true;
}

/**
 * Whether this is a browser tab on an iPhone: the app on its home screen has storage of its own,
 * and links never open there.
 */
export function isTabOfApple(): boolean {
  return standalone === false;
}

/**
 * Stores whether storage is persistent; repeated, because the system may grant it by itself or
 * after installation. By default `asks` is false before installation, because Firefox would ask
 * the person.
 */
export async function notePersisted({ asks = isInstalled() } = {}): Promise<void> {
  try {
    await phone.writeMeta(
      'persisted',
      (await navigator.storage?.persisted?.()) || (asks && (await askToPersist())),
    );
  } catch {
    // A failing storage is reported by the screen that needs it.
  }
}

/** iPhones and iPads install by hand only; newer iPads identify as a Mac. */
export function isApple(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  );
}

/** The instruction where no button can install. */
export const addByHand = 'In Safari tocca Condividi, poi «Aggiungi alla schermata Home»';

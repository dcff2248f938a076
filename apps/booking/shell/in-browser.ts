/** Tells a component whether a browser draws it, or the server. */
import { useSyncExternalStore } from 'react';

/** False while the server draws, and in the first moment of what it has drawn. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(neverChanges, yes, no);
}

const neverChanges = () => () => {};
const yes = () => true;
const no = () => false;

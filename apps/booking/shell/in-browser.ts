/** Tells a component whether the browser or the server draws it. */
import { useSyncExternalStore } from 'react';

/** False on the server and in the browser's first render, which must be equal. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(neverChanges, yes, no);
}

const neverChanges = () => () => {};
const yes = () => true;
const no = () => false;

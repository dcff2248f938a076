/** Part of the open drawing in a React component, which renders again only when it changes. */
import { useSyncExternalStore } from 'react';
import type { Studio, StudioState } from './studio.ts';

/** `select` must return a part as it is stored; computed values belong in `useMemo`. */
export function useStudio<T>(studio: Studio, select: (state: StudioState) => T): T {
  return useSyncExternalStore(studio.subscribe, () => select(studio.state));
}

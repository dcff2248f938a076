/** A part of the saving state, in a React component. */
import { useSyncExternalStore } from 'react';
import { useDesigner } from '#apps/chart/designer/context.ts';
import type { SessionState } from '#apps/chart/designer/line/session.ts';

export function useSession<T>(select: (state: SessionState) => T): T {
  const { session } = useDesigner();
  return useSyncExternalStore(session.subscribe, () => select(session.state));
}

/** Which hand holds which tool. */
import type { Tool } from '#apps/chart/designer/state/studio.ts';
import type { Desk, Hand } from '#apps/chart/designer/canvas/desk.ts';
import { makeSelect } from './select.ts';

export function makeHand(desk: Desk, tool: Tool): Hand {
  return makeSelect(desk, { isLasso: tool === 'lasso' });
}

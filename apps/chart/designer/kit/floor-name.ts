/** What a floor is called. */
import type { FloorData } from '#server/drawing/model/data.ts';

/** A floor without a name is the hall itself. */
export function floorName({ floorName: name, floorDisplayName }: FloorData): string {
  return floorDisplayName || name || 'Sala';
}

/** The name of a floor for people. */
import type { FloorData } from '#server/drawing/model/data.ts';

/** A floor without a name is called the hall. */
export function floorName({ floorName: name, floorDisplayName }: FloorData): string {
  return floorDisplayName || name || 'Sala';
}

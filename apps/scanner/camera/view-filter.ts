/** Filters the codes that the camera sees, so that one ticket held still is one scan. */

/** The same code counts again only after it was out of sight this long. */
export const sameCodeMs = 2_500;

export function makeViewFilter() {
  const seen = new Map<string, number>();
  return {
    /** To be asked at every sighting. Two tickets side by side, seen in turn, are two scans, not a hundred. */
    isNew(text: string, now: number): boolean {
      for (const [other, at] of seen) if (now - at > sameCodeMs) seen.delete(other);
      const isNew = !seen.has(text);
      seen.set(text, now);
      return isNew;
    },
    /** Nothing has come of it: the next sighting is a new one, also of a code that was never out of sight. */
    forget(text: string): void {
      seen.delete(text);
    },
  };
}

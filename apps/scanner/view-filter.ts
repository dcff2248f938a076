/** Tells whether a code in front of the camera is new, so that one ticket held still is one scan. */

/** The same code counts again only after it was out of sight this long. */
export const sameCodeMs = 2_500;

/** Pure: feed it every sighting. Two tickets side by side, seen in turn, are two scans, not a hundred. */
export function makeViewFilter(): (text: string, now: number) => boolean {
  const seen = new Map<string, number>();
  return (text, now) => {
    for (const [other, at] of seen) if (now - at > sameCodeMs) seen.delete(other);
    const isNew = !seen.has(text);
    seen.set(text, now);
    return isNew;
  };
}

/** What a drawing has before anything is drawn. */

/**
 * A floor, or the inside of a section: each list is there, and keeps its place among the keys.
 */
export function emptyFloor(size: { width: number; height: number }) {
  return {
    ...size,
    snapOffset: { x: 0, y: 0 },
    focalPoint: null,
    rows: [],
    tables: [],
    booths: [],
    generalAdmissionAreas: [],
    sections: [],
    shapes: [],
    texts: [],
    icons: [],
    imageObjects: [],
  };
}

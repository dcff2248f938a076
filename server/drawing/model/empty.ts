/** The contents of an empty drawing. */

/**
 * An empty floor, or the inside of a section. All lists exist, so that they keep their place
 * among the keys.
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

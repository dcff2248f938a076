/**
 * What is known of a seats.io drawing without reading it: where accounts live, and what is wrong
 * with one.
 */

/** The four places where seats.io keeps accounts. */
export const regions = ['eu', 'na', 'sa', 'oc'] as const;
export type ChartRegion = (typeof regions)[number];

export interface Finding {
  severity: 'error' | 'warning';
  where: string;
  message: string;
}

/** The drawing's own name, when it has one that a person can read. */
export function drawingName(drawing: Record<string, unknown>): string | null {
  const name = drawing['name'];
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : null;
}

/** The regions of seats.io accounts, a finding in a drawing, and the name of a drawing. */

/** The four regions of seats.io accounts. */
export const regions = ['eu', 'na', 'sa', 'oc'] as const;
export type ChartRegion = (typeof regions)[number];

export interface Finding {
  severity: 'error' | 'warning';
  where: string;
  message: string;
}

/** The drawing's own name; null if it has none. */
export function drawingName(drawing: Record<string, unknown>): string | null {
  const name = drawing['name'];
  return typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : null;
}

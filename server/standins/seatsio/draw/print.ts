/**
 * Prints drawings as text: readable for a file in the repository, dense for a large one.
 * Coordinates are rounded to a tenth of a unit.
 */

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A small object takes one line, so that a change of one seat is one line in a diff. */
function print(value: unknown, indent = ''): string {
  if (typeof value === 'number') return String(round(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const deep = Object.values(value).some(
    (inner) =>
      typeof inner === 'object' &&
      inner !== null &&
      Object.values(inner).some((leaf) => typeof leaf === 'object'),
  );
  const many =
    Array.isArray(value) &&
    value.length > 1 &&
    typeof value[0] === 'object' &&
    Object.keys(value[0] as object).length > 2;
  const [open, gap, close] =
    deep || many ? [`\n${indent} `, `,\n${indent} `, `\n${indent}`] : ['', ',', ''];
  const parts = Array.isArray(value)
    ? value.map((inner) => print(inner, `${indent} `))
    : Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => `${JSON.stringify(key)}:${print(inner, `${indent} `)}`);
  return Array.isArray(value)
    ? `[${open}${parts.join(gap)}${close}]`
    : `{${open}${parts.join(gap)}${close}}`;
}

/** The readable text of a file. */
export function printDrawing(drawing: object): string {
  return `${print(drawing)}\n`;
}

/** The dense text, without line breaks. */
export function printDense(drawing: object): string {
  return JSON.stringify(drawing, (_, value: unknown) =>
    typeof value === 'number' ? round(value) : value,
  );
}

/** The value below which this share of the measurements lies. */
export function quantile(values: readonly number[], part: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(part * values.length) - 1)] ?? Number.NaN
  );
}

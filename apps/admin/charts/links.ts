/** Where a chart's screens are. */

export function chartPath(key: string): string {
  return `/settings/charts/${encodeURIComponent(key)}`;
}

export function drawPath(key: string): string {
  return `${chartPath(key)}/draw`;
}

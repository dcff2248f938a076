/** The addresses of a chart's screens. */

export function chartPath(key: string): string {
  return `/settings/charts/${encodeURIComponent(key)}`;
}

export function drawPath(key: string): string {
  return `${chartPath(key)}/draw`;
}

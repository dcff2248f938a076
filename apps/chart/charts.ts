/** `seatsio.charts`: all rendered charts of the page. */

interface StandingChart {
  readonly state: string;
  destroy: () => void;
}

/** In the order in which they were rendered; always the same array. */
export const charts: StandingChart[] = [];

export function addChart(chart: StandingChart): void {
  if (!charts.includes(chart)) charts.push(chart);
}

export function removeChart(chart: StandingChart): void {
  const at = charts.indexOf(chart);
  if (at >= 0) charts.splice(at, 1);
}

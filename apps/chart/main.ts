/**
 * The entry of chart.js: the global `seatsio` that a page, or seats.io's React component, looks
 * for.
 */
export { charts } from './charts.ts';
export { EventManager } from './event-manager.ts';
export { SeatingChart } from './seating-chart.ts';
export { SeatingChartDesigner } from './designer.ts';

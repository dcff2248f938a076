/** The entry of chart.js: the global `seatsio` for a page, or for seats.io's React component. */
export { charts } from './charts.ts';
export { EventManager } from './event-manager.ts';
export { SeatingChart } from './seating-chart.ts';
export { SeatingChartDesigner } from './designer.ts';

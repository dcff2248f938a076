/** chart.js: the global `seatsio` that a page, or the React component of seats.io, looks for. */
export { charts } from './charts.ts';
export { EventManager } from './event-manager.ts';
export { SeatingChart } from './seating-chart.ts';
export { SeatingChartDesigner } from './designer.ts';

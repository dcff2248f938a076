/** Builds chart.js, the script that a page loads through `chartJsUrl`. */
import { defineChart } from '#apps/vite.ts';

export default defineChart();

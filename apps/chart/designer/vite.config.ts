/** Builds the chart designer, which chart.js loads where one is opened. */
import { defineDesigner } from '#apps/vite.ts';

export default defineDesigner();

/** The type of one chart in the office. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readChart } from '#server/contract/charts.ts';

export type ChartDetail = ReplyOf<typeof readChart>;

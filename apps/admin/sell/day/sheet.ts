/** The closing of a day as the server tells it. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readDaySheet } from '#server/contract/days.ts';

export type DaySheet = ReplyOf<typeof readDaySheet>;

/** Closings of days: each route connects an endpoint to its use case. */
import * as days from '#server/contract/days.ts';
import type { Routing } from '#server/http/serve.ts';
import { dayCsv, dayPdf } from '#server/services/counter/day-files.ts';
import { countDay, dayList, readDay, signDay } from '#server/services/counter/days.ts';

export function dayRoutes({ serve, ctx }: Routing): void {
  serve(days.listDays, () => dayList(ctx));
  serve(days.readDaySheet, ({ query }) => readDay(ctx, query.day));
  serve(days.countDaySheet, ({ body }, { actor }) => countDay(ctx, actor, body.day, body));
  serve(days.signDaySheet, ({ body }, { actor }) => signDay(ctx, actor, body.day, body));
  serve(days.downloadDaySheet, ({ query }) => dayPdf(ctx, query));
  serve(days.exportDaySheet, ({ query }) => dayCsv(ctx, query));
}

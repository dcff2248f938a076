/** How long reports take with 200,000 orders of 500 events and 2,000,000 scans: one event, its show, the season, some days; and how long the job takes to count. Figures, never a verdict. */
import { readReport } from '#server/contract/reports.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { reportNames } from '#server/domain/report/figure.ts';
import { dayText, romeDay, seasonOf } from '#server/domain/time/rome-clock.ts';
import { oldCounts } from '#db/report/kept.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import type { DatabaseKind, TestServer } from '#tests/support/server.ts';
import { fillTheatre } from './admin-data.ts';
import { fillReports } from './report-data.ts';
import { onDatabases } from './databases.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const [kinds = 'sqlite,postgres', ...sizes] = process.argv.slice(2);
const events = Number(sizes[0] ?? scaled(50, 10));
const seats = Number(sizes[1] ?? scaled(400, 60));
const rounds = scaled(12, 2);

async function measure(server: TestServer, database: DatabaseKind): Promise<void> {
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { ctx } = server.house;
  const { db } = ctx;
  const now = server.clock.now();
  await fillTheatre(db, { events, seats }, { event_id: demoEvent, order_id, now });
  await fillReports(db, { events, now });
  const began = performance.now();
  while ((await oldCounts(db)).length > 0) {
    server.clock.advance(5_000);
    await keepFigures(ctx, new AbortController().signal);
  }
  const counted = performance.now() - began;
  console.log(`${database} all events counted: ${(counted / events).toFixed(1)} ms each`);
  const scopes = {
    event: { event_id: 'sera-9' },
    compared: { event_id: 'sera-9', against: 'before' },
    show: { show_id: 'spettacolo-0' },
    'the season before': { season: String(seasonOf(romeDay(now)) - 1) },
    'a year': { from: dayText(romeDay(now) - 364), to: dayText(romeDay(now)) },
  };
  for (const report of reportNames)
    for (const [what, query] of Object.entries(scopes)) {
      const times: number[] = [];
      let size = 0;
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now();
        const answer = await fetch(server.url + addressOf(readReport, { report }, query), {
          headers: admin,
        });
        const text = await answer.text();
        times.push(performance.now() - start);
        size = text.length;
        if (answer.status !== 200) throw new Error(`${report} ${what}: ${answer.status} ${text}`);
      }
      console.log(
        `${database} ${report}, ${what}: median ${quantile(times, 0.5).toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms, ${Math.round(size / 1_000)} kB`,
      );
    }
}

await onDatabases(kinds, measure);

/** How long reports take with 200,000 orders of 500 events and 2,000,000 scans: one event, its show, the season, some days; and how long the job takes to count. Figures, never a verdict. */
import { readReport } from '#server/contract/reports.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { reportNames } from '#server/domain/report/figure.ts';
import { dayText, romeDay, seasonOf } from '#server/domain/report/rome.ts';
import { oldCounts } from '#db/reports/kept.ts';
import { keepFigures } from '#server/services/reports/keep.ts';
import { makePaidOrder } from '#tests/support/buyer.ts';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { startServer, type DatabaseKind } from '#tests/support/server.ts';
import { fillTheatre } from './admin-data.ts';
import { fillReports } from './report-data.ts';
import { quantile } from './quantile.ts';

const [kinds = 'sqlite,postgres', events = '50', seats = '400'] = process.argv.slice(2);
const rounds = 12;

async function measure(database: DatabaseKind, postgresUrl?: string): Promise<void> {
  await using server = await startServer({ database, ...(postgresUrl && { postgresUrl }) });
  const admin = await makeAdmin(server);
  const { order_id } = await makePaidOrder(server, { email: 'eva@example.it' });
  const { ctx } = server.house;
  const { db } = ctx;
  const now = server.clock.now();
  await fillTheatre(
    db,
    { events: Number(events), seats: Number(seats) },
    { event_id: demoEvent, order_id, now },
  );
  await fillReports(db, { events: Number(events), now });
  const began = performance.now();
  while ((await oldCounts(db)).length > 0) {
    server.clock.advance(5_000);
    await keepFigures(ctx, new AbortController().signal);
  }
  const counted = performance.now() - began;
  console.log(`${database} all events counted: ${(counted / Number(events)).toFixed(1)} ms each`);
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

if (kinds.includes('sqlite')) await measure('sqlite');
if (kinds.includes('postgres')) {
  const postgres = await startPostgres({ durable: true });
  try {
    await measure('postgres', postgres.url);
  } finally {
    await postgres.stop();
  }
}

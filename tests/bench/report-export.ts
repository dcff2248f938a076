/** Whether a long file stays small in memory: a million scans are downloaded, and the process is asked how large it has become meanwhile. Figures, never a verdict. */
import { exportAdmissions } from '#server/contract/door/admissions.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { makeAdmin, demoEvent } from '#tests/support/make.ts';
import { startServer } from '#tests/support/server.ts';

const [wanted = '1000000'] = process.argv.slice(2);

await using server = await startServer({ database: 'sqlite' });
const admin = await makeAdmin(server);
const { db } = server.house.ctx;
const now = server.clock.now();
await db.raw(
  `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
  INSERT INTO admissions (id, event_id, direction, verdict, counts, offline, scanned_at, corrected_at, received_at)
  SELECT 'scan-' || n, ?, 'in', 'invalid', 0, 0, ? - n, ? - n, ? - n FROM n`,
  [Number(wanted), demoEvent, now, now, now],
);
const megabytes = () => Math.round(process.memoryUsage().rss / 1_000_000);
const answer = await fetch(server.url + addressOf(exportAdmissions, {}), { headers: admin });
let [bytes, next, most] = [0, 0, 0];
const began = performance.now();
for await (const piece of answer.body!) {
  bytes += piece.length;
  most = Math.max(most, megabytes());
  if (bytes < next) continue;
  console.log(`${Math.round(bytes / 1_000_000)} MB sent, the process has ${megabytes()} MB`);
  next += 10_000_000;
}
console.log(
  `${wanted} scans, ${Math.round(bytes / 1_000_000)} MB in ${((performance.now() - began) / 1_000).toFixed(1)} s; at most ${most} MB`,
);

/**
 * `npm run bench -- live [viewers] [changes a second] [seconds]`: what it costs our seat map's server to tell every viewer of a hall of each change, beside a
 * bare server that writes as many bytes to as many sockets as often; figures, no verdict.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#tests/support/port.ts';
import {
  changeSeats,
  costOf,
  endViewers,
  gatherViewers,
  startLiveHall,
  stopLiveHall,
} from './live-hall.ts';
import type { Heard } from './live-viewers.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const [viewers, perSecond, seconds] = [scaled(5_000, 40), 100, scaled(20)].map((usual, at) =>
  Number(process.argv[2 + at] ?? usual),
) as [number, number, number];
const folder = mkdtempSync(join(tmpdir(), 'live-'));

async function measureOurs(): Promise<Heard> {
  const hall = await startLiveHall(folder, perSecond * seconds);
  try {
    const crowd = await gatherViewers(hall.port, await hall.openEvent('sale'), viewers);
    let asked = new Map<string, number>();
    const { spentMs, percent } = await costOf(hall.server, async () => {
      asked = await changeSeats(hall, 'sale', { perSecond, seconds });
      await pause(500);
    });
    const heard = await endViewers(crowd);
    const delays = heard.samples.map(([label, at]) => at - asked.get(label)!);
    console.log(
      `${viewers} viewers, ${perSecond} changes a second for ${seconds} s: ${percent.toFixed(0)} % of a core (goal ≤ 25), ${((1_000 * spentMs) / heard.messages).toFixed(1)} µs per message and viewer, the changes themselves included; told after p50 ${quantile(delays, 0.5).toFixed(0)}, p99 ${quantile(delays, 0.99).toFixed(0)} ms; ${heard.messages} messages, ${heard.lost} lines lost`,
    );
    return heard;
  } finally {
    await stopLiveHall(hall);
  }
}

/** A bare server that writes as many bytes per message, framed once, straight to the sockets. */
async function measureFloor({ bytes, messages }: Heard): Promise<void> {
  const port = await freePort();
  const size = Math.round(bytes / messages);
  const everyMs = Math.round((seconds * 1_000 * viewers) / messages);
  const text = `const sockets = []; require('node:net').createServer((s) => { s.once('data', () => { s.write('HTTP/1.1 200 OK\\r\\n\\r\\n'); sockets.push(s); }); s.on('error', () => {}); }).listen(${port}, () => console.log('up')); const news = Buffer.from('data: {}' + ' '.repeat(${size - 10}) + '\\n\\n'); setInterval(() => { for (const s of sockets) s.write(news); }, ${everyMs})`;
  const server = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(server.stdout, 'data');
  const crowd = await gatherViewers(port, '/', viewers);
  const { spentMs, percent } = await costOf(server, () => pause(seconds * 500));
  const heard = await endViewers(crowd);
  console.log(
    `bare sockets, ${size} bytes each ${everyMs} ms: ${percent.toFixed(0)} % of a core, ${((1_000 * spentMs) / heard.messages).toFixed(1)} µs per message and viewer`,
  );
  server.kill();
}

try {
  await measureFloor(await measureOurs());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

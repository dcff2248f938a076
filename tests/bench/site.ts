/**
 * `npm run bench -- site [parts] [rounds]`: the public site beside its floors, measured in the same run and in turn; figures, no verdict.
 * Parts: weight (script and style that a phone fetches before the chart), answers (event JSON and page: server CPU per request, and a change seen at once),
 * frames (LCP, TBT, CLS on a slowed machine and line); all of them if none is named.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { launchWholeBrowser } from '#tests/support/browsers/browser.ts';
import {
  inTurns,
  load,
  startFloor,
  startProduct,
  stop,
  untilIdle,
  type Server,
} from './product.ts';
import { quantile } from './quantile.ts';

const parts =
  process.argv[2] && process.argv[2] !== 'all'
    ? process.argv[2].split(',')
    : ['weight', 'answers', 'frames'];
const rounds = Number(process.argv[3] ?? 5);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'site-'));
const median = (values: readonly number[]) => quantile(values, 0.5);
const eventId = 'la-locandiera';

/** React and nothing else, built the same way. */
async function weighReact(): Promise<number> {
  const result = (await build({
    configFile: false,
    logLevel: 'silent',
    mode: 'production',
    root: folder,
    build: { write: false, rolldownOptions: { input: 'floor' } },
    plugins: [
      {
        name: 'floor',
        resolveId: (id) => (id === 'floor' ? join(root, 'floor.js') : null),
        load: (id) =>
          id === join(root, 'floor.js')
            ? "import { createElement } from 'react'; import { createRoot } from 'react-dom/client'; createRoot(document.body).render(createElement('p'));"
            : null,
      },
    ],
  })) as { output: { type: string; code?: string }[] };
  return result.output.reduce(
    (sum, { code }) => sum + (code === undefined ? 0 : gzipSync(code, { level: 9 }).length),
    0,
  );
}

async function weigh(url: string): Promise<void> {
  const browser = await launchWholeBrowser();
  const page = await browser.newPage();
  const scripts = new Map<string, number>();
  page.on('response', (response) => {
    if (response.url().includes('/assets/') && response.url().endsWith('.js'))
      scripts.set(response.url(), 0);
  });
  await page.goto(`${url}/event/${eventId}`);
  await page.getByRole('button', { name: /Scegli da un elenco/ }).waitFor();
  await browser.close();
  const script = [...scripts.keys()].reduce(
    (sum, address) =>
      sum +
      gzipSync(readFileSync(join(root, 'dist/booking', new URL(address).pathname)), { level: 9 })
        .length,
    0,
  );
  const style = gzipSync(
    /<style>([\s\S]*?)<\/style>/.exec(
      readFileSync(join(root, 'dist/booking/index.html'), 'utf8'),
    )?.[1] ?? '',
    { level: 9 },
  ).length;
  const floor = await weighReact();
  console.log(
    `weight, gzip: script ${(script / 1024).toFixed(1)} KiB in ${scripts.size} files, bare React ${(floor / 1024).toFixed(1)} KiB, ratio ${(script / floor).toFixed(2)} (goal 1.60, 105 KiB); style ${(style / 1024).toFixed(1)} KiB (goal 8)`,
  );
}

async function compareAnswers(product: Server): Promise<void> {
  for (const [name, path] of [
    ['event JSON', `/api/event/${eventId}/`],
    ['event page', `/event/${eventId}`],
  ] as const) {
    const first = await fetch(`${product.url}${path}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    const floor = await startFloor(Buffer.from(await first.arrayBuffer()));
    const etag = { 'if-none-match': first.headers.get('etag')! };
    const figures = await inTurns(rounds, {
      floor: () => load(floor, path),
      ours: () => load(product, path),
      floor304: () => load(floor, path, etag),
      ours304: () => load(product, path, etag),
    });
    await stop(floor);
    const say = (ours: number, base: number) =>
      `${ours.toFixed(1)} µs, node:http ${base.toFixed(1)} µs, ratio ${(base / ours).toFixed(2)}`;
    console.log(
      `${name}: 200 ${say(figures.ours, figures.floor)} (goal 0.80); 304 ${say(figures.ours304, figures.floor304)} (goal 0.90); server CPU per request, medians of ${rounds}`,
    );
  }
}

interface Frame {
  lcp: number;
  tbt: number;
  cls: number;
}

/** A phone of the middle class on a slow line: 4x slower processor, 1.6 Mbit/s, 150 ms. */
async function frame(url: string): Promise<Frame> {
  const browser = await launchWholeBrowser();
  try {
    const page = await (
      await browser.newContext({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75 })
    ).newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: (1.6 * 1024 * 1024) / 8,
      uploadThroughput: (750 * 1024) / 8,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(() => {
      const seen = { lcp: 0, cls: 0, tasks: [] as [start: number, end: number][] };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.lcp = entry.startTime;
      }).observe({ type: 'largest-contentful-paint', buffered: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          seen.tasks.push([entry.startTime, entry.startTime + entry.duration]);
      }).observe({ type: 'longtask', buffered: true });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number }[])
          seen.cls += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(url);
    await page.waitForTimeout(6_000);
    return await page.evaluate(() => {
      const { lcp, cls, tasks } = (
        window as unknown as { seen: { lcp: number; cls: number; tasks: [number, number][] } }
      ).seen;
      const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      // Blocking time counts from the first paint, because before it there is nothing to press.
      return {
        lcp,
        cls,
        tbt: tasks.reduce(
          (sum, [start, end]) => sum + Math.max(0, end - Math.max(start, painted) - 50),
          0,
        ),
      };
    });
  } finally {
    await browser.close();
  }
}

async function compareFrames(product: Server): Promise<void> {
  for (const [name, path] of [
    ['home', '/'],
    ['event page', `/event/${eventId}`],
  ] as const) {
    // The same bytes without any script; pictures come from the product.
    const bare = (await (await fetch(`${product.url}${path}`)).text()).replace(
      /<script[\s\S]*?<\/script>/g,
      '',
    );
    const floorServer = createServer((req, res) => {
      if (req.url === '/')
        return void res
          .writeHead(200, {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Encoding': 'gzip',
          })
          .end(gzipSync(bare));
      request(`${product.url}${req.url}`, { headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      }).end();
      return undefined;
    }).listen(0);
    await once(floorServer, 'listening');
    const floorUrl = `http://localhost:${(floorServer.address() as { port: number }).port}/`;
    const [ours, floor]: [Frame[], Frame[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      floor.push(await frame(floorUrl));
      ours.push(await frame(`${product.url}${path}`));
    }
    floorServer.close();
    const [lcp, base] = [median(ours.map((f) => f.lcp)), median(floor.map((f) => f.lcp))];
    console.log(
      `${name}: LCP ${lcp.toFixed(0)} ms, without script ${base.toFixed(0)} ms, ratio ${(lcp / base).toFixed(2)} (goal 1.25); TBT ${median(ours.map((f) => f.tbt)).toFixed(0)} ms, without script ${median(floor.map((f) => f.tbt)).toFixed(0)} (goal 50); CLS ${median(ours.map((f) => f.cls)).toFixed(4)} (goal 0.01); runs ${ours.map((f) => `${f.lcp.toFixed(0)}/${f.tbt.toFixed(0)}`).join(' ')}`,
    );
  }
}

const product = await startProduct(join(folder, 'data'));
try {
  if (parts.includes('weight')) await weigh(product.url);
  if (parts.includes('answers')) {
    await untilIdle(product);
    await compareAnswers(product);
  }
  if (parts.includes('frames')) await compareFrames(product);
} finally {
  await stop(product);
  rmSync(folder, { recursive: true, force: true });
}

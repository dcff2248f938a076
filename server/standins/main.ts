/** Starts the stand-ins alone: `npm run standins -- --seatsio-port 9001 --stripe-port 12111`; for development, other people's test suites, and beside several servers. */
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startStandins } from './start.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const USAGE = `Usage: npm run standins -- [options]; at least one of the two ports
  --seatsio-port N     loopback port of the seats.io stand-in
  --stripe-port N      loopback port of the Stripe stand-in
  --system-secret S    switches on the seats.io stand-in's two provisioning calls
  --file F             SQLite file of both (data/standins.sqlite)
  --chart-folder D     where chart.js was built (dist/chart)
  --public-url U       where a visitor's browser reaches Stripe's pages (the stand-in's own address)
  --webhook-url U      where signed Stripe events are sent`;

function fail(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ options: {
      'seatsio-port': text, 'stripe-port': text, 'system-secret': text, file: text, 'chart-folder': text, 'public-url': text, 'webhook-url': text,
    } }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}

function portOf(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const port = Number(value);
  return value !== '' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : fail(`--${name}: a port between 1 and 65535 expected, found: ${value}`);
}

const options = readOptions();
const seatsioPort = portOf('seatsio-port', options['seatsio-port']);
const stripePort = portOf('stripe-port', options['stripe-port']);
if (seatsioPort === undefined && stripePort === undefined) fail('Nothing to start');
const file = resolve(options.file ?? join(ROOT, 'data', 'standins.sqlite'));
mkdirSync(dirname(file), { recursive: true });

const running = await startStandins({
  file, now: Date.now, seatsioPort, stripePort, systemSecret: options['system-secret'], webhookUrl: options['webhook-url'],
  chartFolder: resolve(options['chart-folder'] ?? join(ROOT, 'dist', 'chart')),
  stripePublicUrl: (options['public-url'] ?? `http://127.0.0.1:${stripePort}`).replace(/\/+$/, ''),
});
if (running.seatsio) {
  const { url, secretKey, workspaceKey, adminKey } = running.seatsio;
  console.log(`seats.io  ${url}\n  secret key     ${secretKey}\n  workspace key  ${workspaceKey}\n  admin key      ${adminKey}\n  chart.js       ${url}/chart.js`);
}
if (running.stripe) {
  const { url, secretKey, webhookSecret } = running.stripe;
  console.log(`Stripe    ${url}\n  secret key     ${secretKey}\n  webhook secret ${webhookSecret ?? '(none)'}`);
}
console.log(`State in ${file}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void running.close().then(() => process.exit(0));
  });
}

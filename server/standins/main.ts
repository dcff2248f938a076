/** Starts the stand-ins alone: `npm run standins -- --seatsio-port 9001 --stripe-port 12111`. */
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');
/** The least length of a key after its prefix. */
const SECRET_LENGTH = 8;
const USAGE = `Usage: npm run standins -- [options]; at least one of the two ports
  --seatsio-port N      loopback port of the seats.io stand-in; 0 is any free one
  --stripe-port N       loopback port of the Stripe stand-in; 0 is any free one
  --data-dir D          folder of the file that both keep, standins.sqlite (DATA_DIR where npm starts it, or data)
  --file F              that file itself, wherever it is; :memory: forgets everything at the end
  --database U          postgres://…: the seats.io stand-in keeps everything there, and several of them share it
  --pooler              that database is reached through a pooler in transaction mode
  --help                this
Only seats.io
  --seatsio-host H      the address that it listens on (127.0.0.1): its keys open all of it, so let nobody else reach it
  --system-secret S     switches on the stand-in's two provisioning calls
  --chart-folder D      where chart.js was built (dist/chart)
Only Stripe
  --public-url U        where a visitor's browser reaches the hosted page (the stand-in's own address)
  --secret-key K        sk_test_ and at least 8 letters or digits, instead of one that is made and kept in the file
  --webhook-url U       where signed events are sent
  --webhook-secret S    whsec_ and at least 8 characters, what they are signed with, instead of one that is made and kept
  --retry-scale N       1 repeats deliveries at Stripe's pace, minutes to hours; 1/1200 of that if left out
  --faults              opens /_standin/…: faults on demand, the clock, deliveries (see server/standins/stripe/front/steering.ts)`;

function fail(message: string): never {
  console.error(`${message}\n${USAGE}`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      options: {
        'seatsio-port': text,
        'stripe-port': text,
        'data-dir': text,
        file: text,
        database: text,
        pooler: flag,
        help: flag,
        'seatsio-host': text,
        'system-secret': text,
        'chart-folder': text,
        'public-url': text,
        'secret-key': text,
        'webhook-url': text,
        'webhook-secret': text,
        'retry-scale': text,
        faults: flag,
      },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}

function readNumber(
  name: string,
  value: string | undefined,
  isRight: (number: number) => boolean,
  says: string,
): number | undefined {
  if (value === undefined) return undefined;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return isRight(number) ? number : fail(`--${name}: ${says} expected, found: ${value}`);
}

/**
 * Short secrets are refused, because clients that shorten keys in logs would show them whole. A
 * refused one is not printed, because it may be a real one.
 */
function readSecret(
  name: string,
  value: string | undefined,
  { prefix, form, says }: { prefix: string; form: RegExp; says: string },
): string | undefined {
  if (value === undefined) return undefined;
  const wanted = `--${name}: ${prefix} and at least ${SECRET_LENGTH} ${says} expected`;
  const rest = value.startsWith(prefix) ? value.slice(prefix.length) : null;
  if (rest === null || !form.test(rest)) return fail(wanted);
  if (rest.length < SECRET_LENGTH)
    return fail(`${wanted}, found only ${rest.length} behind ${prefix}`);
  return value;
}

function readAddress(name: string, value: string | undefined): string | undefined {
  const protocol = value !== undefined && URL.canParse(value) ? new URL(value).protocol : undefined;
  return value === undefined || protocol === 'http:' || protocol === 'https:'
    ? value
    : fail(`--${name}: an address with http:// or https:// expected, found: ${value}`);
}

const options = readOptions();
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const isPort = (number: number): boolean =>
  Number.isInteger(number) && number >= 0 && number < 65_536;
const seatsioPort = readNumber(
  'seatsio-port',
  options['seatsio-port'],
  isPort,
  'a port between 0 and 65535',
);
const stripePort = readNumber(
  'stripe-port',
  options['stripe-port'],
  isPort,
  'a port between 0 and 65535',
);
const retryScale = readNumber(
  'retry-scale',
  options['retry-scale'],
  (number) => number > 0 && number <= 1,
  'a number above 0, at most 1',
);
const secretKey = readSecret('secret-key', options['secret-key'], {
  prefix: 'sk_test_',
  form: /^\w*$/,
  says: 'letters or digits',
});
const webhookSecret = readSecret('webhook-secret', options['webhook-secret'], {
  prefix: 'whsec_',
  form: /^\S*$/,
  says: 'characters',
});
const webhookUrl = readAddress('webhook-url', options['webhook-url']);
const publicUrl = readAddress('public-url', options['public-url']);
if (webhookSecret !== undefined && webhookUrl === undefined)
  fail('--webhook-secret: there is no --webhook-url that it could be for');
if (seatsioPort === undefined && stripePort === undefined) fail('Nothing to start');
const dataDir = options['data-dir'] || join(ROOT, 'data');
const file =
  options.file === ':memory:'
    ? ':memory:'
    : resolve(options.file ?? join(dataDir, 'standins.sqlite'));

const running = await start().catch((error: unknown) => {
  console.error(
    `The stand-ins could not start: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
});
if (running.seatsio) {
  const { url, secretKey: key, workspaceKey, adminKey } = running.seatsio;
  console.log(
    `seats.io  ${url}\n  secret key      ${key}\n  workspace key   ${workspaceKey}\n  admin key       ${adminKey}\n  chart.js        ${url}/chart.js`,
  );
}
if (running.stripe) {
  const { url, secretKey: key, webhookSecret: signedWith } = running.stripe;
  console.log(
    `Stripe    ${url}\n  secret key      ${key}\n  webhook secret  ${signedWith ?? '(none)'}`,
  );
  if (options.faults) console.log(`  faults          ${url}/_standin/faults`);
}
console.log(file === ':memory:' ? 'State in memory' : `State in ${file}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void running.close().then(() => process.exit(0));
  });
}

async function start() {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  // Imported late, so that an invalid option is reported without delay.
  const { startStandins } = await import('./start.ts');
  return startStandins({
    file,
    ...(options.database === undefined ? {} : { chartDatabase: options.database }),
    namedStatements: options.pooler !== true,
    now: Date.now,
    seatsioPort,
    seatsioHost: options['seatsio-host'],
    stripePort,
    systemSecret: options['system-secret'],
    webhookUrl,
    chartFolder: resolve(options['chart-folder'] ?? join(ROOT, 'dist', 'chart')),
    stripePublicUrl: publicUrl?.replace(/\/+$/, '') ?? '',
    stripe: {
      secretKey,
      webhookSecret,
      faults: options.faults,
      ...(retryScale === undefined ? {} : { deliveries: { retryScale } }),
    },
  });
}

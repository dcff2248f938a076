/** `npm run attack -- --tools`: what strangers' tools find in a house with orders: wapiti, sqlmap and slowhttptest, where they are installed (Debian has all three). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { demoEvent, makeAdmin } from '#tests/support/make.ts';
import { seedStates } from '#tests/support/seed-states.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

interface House {
  server: TestServer;
  cookie: string;
  order_id: string;
  /** For what the tools write. */
  folder: string;
}

/** In sentences; those that begin with «!» want somebody to look. */
type Tool = (house: House) => Promise<string[]>;

const tools: Record<string, Tool> = { wapiti, sqlmap, slowhttptest };

/** True if nothing was found. A tool that is not there is said, and is no fault. `names`: only these; none: all. */
export async function attackWithTools(names: readonly string[]): Promise<boolean> {
  await using server = await startServer();
  const { cookie } = await makeAdmin(server);
  const { confirmed } = await seedStates(server);
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-tools-'));
  const house = { server, cookie, order_id: confirmed, folder };
  let isClean = true;
  for (const [name, tool] of Object.entries(tools)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(name);
    const said = (await isInstalled(name))
      ? await tool(house)
      : [`not installed here: apt-get install ${name}`];
    for (const line of said) console.log(`  ${line}`);
    isClean &&= !said.some((line) => line.startsWith('!'));
  }
  for (const line of server.logged) console.log(`! the house logged ${line.slice(0, 300)}`);
  await rm(folder, { recursive: true, force: true });
  return isClean && server.logged.length === 0;
}

async function isInstalled(name: string): Promise<boolean> {
  return (await run('sh', ['-c', `command -v ${name}`])).trim() !== '';
}

/** All that it says; ended after ten minutes. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  const [said, complained] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return stripVTControlCharacters(said + complained);
}

const wapitiModules = [
  'backup',
  'blindsql',
  'cookieflags',
  'crlf',
  'csp',
  'csrf',
  'exec',
  'file',
  'http_headers',
  'permanentxss',
  'redirect',
  'sql',
  'xss',
];

/** Left out on purpose: the one is for browsers that are gone, the other is not said over plain http, which is what is attacked here. */
const missesOnPurpose = /^(?:X-XSS-Protection|Strict-Transport-Security) is not set$/;

/** It runs no script: it gets the addresses that scripts would ask. */
async function wapiti({ server: { url }, cookie, order_id, folder }: House): Promise<string[]> {
  const report = join(folder, 'wapiti.json');
  const starts = [
    `/event/${demoEvent}`,
    `/orders/${order_id}`,
    `/api/orders/${order_id}/refund_quote?ticket_ids=x`,
    '/api/admin/orders/?q=a&limit=5&state=confirmed',
    '/api/admin/search?q=a',
    '/api/admin/registry?q=a&limit=5',
    '/api/admin/events/?q=a&limit=5',
  ].flatMap((path) => ['-s', `${url}${path}`]);
  const where = ['-u', `${url}/`, '--scope', 'folder', ...starts, '-H', `Cookie: ${cookie}`];
  const limits = ['--max-scan-time', '240', '--max-links-per-page', '40', '--flush-session'];
  const out = ['-f', 'json', '-o', report, '--store-session', folder, '--no-bugreport'];
  const said = await run('wapiti', [...where, ...limits, ...out, '-m', wapitiModules.join(',')]);
  const text = await readFile(report, 'utf8').catch(() => null);
  if (text === null) return [`! no report: ${said.slice(-300)}`];
  const found = JSON.parse(text) as Record<
    'vulnerabilities' | 'anomalies',
    Record<string, { path: string; info: string }[]>
  > & { infos: { crawled_pages_nbr?: number } };
  const all = Object.entries({ ...found.vulnerabilities, ...found.anomalies });
  const lines = all.flatMap(([kind, cases]) =>
    cases
      .filter(({ info }) => !missesOnPurpose.test(info))
      .map(({ path, info }) => `! ${kind}: ${path} ${info}`),
  );
  const pages = found.infos.crawled_pages_nbr ?? 'some';
  return [`${pages} pages, ${wapitiModules.length} modules, ${lines.length} findings`, ...lines];
}

interface Target {
  path: string;
  body?: object;
}

/** The places where what somebody types comes near SQL; the star is where it tries. */
const sqlTargets: readonly Target[] = [
  { path: '/api/admin/orders/?q=a*&limit=5' },
  { path: '/api/admin/orders/?cursor=a*' },
  { path: '/api/admin/search?q=a*' },
  { path: '/api/admin/registry?q=a*' },
  { path: '/api/admin/counter/customers?q=a*' },
  { path: '/api/event/a*/' },
  { path: '/api/orders/find', body: { email: 'a*@example.it' } },
  { path: '/api/auth/login', body: { email: 'a*@example.it', password: 'x*' } },
];

async function sqlmap({ server: { url }, cookie, folder }: House): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, body } of sqlTargets) {
    const json = body ? ['--data', JSON.stringify(body)] : [];
    const type = body ? '\nContent-Type: application/json\nX-Requested-With: fetch' : '';
    const target = ['-u', `${url}${path}`, ...json, '--headers', `Cookie: ${cookie}${type}`];
    const way = ['--batch', '--level', '2', '--dbms', 'sqlite', '--ignore-code', '400,401,404,429'];
    const out = ['--flush-session', '--output-dir', folder, '--disable-coloring'];
    const said = await run('sqlmap', [...target, ...way, ...out]);
    lines.push(verdictOf(said, path));
  }
  return lines;
}

function verdictOf(said: string, path: string): string {
  if (/identified the following injection point/.test(said))
    return `! ${path} takes SQL: ${/Payload: .*/.exec(said)?.[0]}`;
  if (/do(?:es)? not (?:appear|seem) to be injectable/.test(said))
    return `${path}: nothing goes through`;
  return `! ${path}: no verdict: ${said.trim().slice(-200)}`;
}

/** Whether the house still answers others while each of these goes on. */
const slowWays = { 'slow headers': '-H', 'slow bodies': '-B', 'slow reading': '-X' };

async function slowhttptest({ server: { url } }: House): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, way] of Object.entries(slowWays)) {
    const load = ['-c', '300', '-i', '5', '-r', '100', '-l', '25', '-p', '3'];
    const said = await run('slowhttptest', [way, ...load, '-u', `${url}/event/${demoEvent}`]);
    const states = [...said.matchAll(/service available:\s*(YES|NO)/g)];
    const away = states.filter(([, state]) => state === 'NO').length;
    const isSeen = states.length > 0;
    lines.push(
      isSeen && away === 0
        ? `${name}, 300 connections for 25 s: the house answered at each of ${states.length} looks`
        : `! ${name}: away at ${away} of ${states.length} looks`,
    );
  }
  return lines;
}

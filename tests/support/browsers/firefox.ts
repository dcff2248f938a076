/**
 * A real Firefox (Debian's ESR), driven over its own protocol Marionette: WebDriver commands over
 * a socket, without a driver in between.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { bring } from './bring.ts';
import { killProcessesOf } from './kill-browser.ts';
import { until } from '#tests/support/make.ts';
import { openTab, type Command, type Driven } from './webdriver.ts';

const installed = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/opt/firefox/firefox'];

/** Null: there is none on this machine yet. */
function findFirefox(): string | null {
  return (
    [process.env['FIREFOX'] ?? '', ...installed].find((path) => path !== '' && existsSync(path)) ??
    null
  );
}

/** Debian's package: a download of 80 MB, 310 MB on the disk. */
export function ensureFirefox(): string {
  return bring({
    name: 'Firefox',
    find: findFirefox,
    packages: ['firefox-esr'],
  });
}

/**
 * No network traffic of the browser itself, and a free port, which Firefox writes into its
 * profile.
 */
const preferences = {
  'marionette.port': 0,
  'app.update.auto': false,
  'browser.aboutwelcome.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'extensions.update.enabled': false,
  'app.normandy.enabled': false,
  'intl.accept_languages': 'it-IT, it',
};

interface Firefox extends Driven {
  /** Kills it, as when the battery dies; the profile stays. */
  kill: () => Promise<void>;
}

/**
 * `profile`: a folder, created if necessary, in which data survives the browser. The window has
 * the size of a phone by default.
 */
export async function launchFirefox(
  profile: string,
  { width, height } = { width: 390, height: 844 },
): Promise<Firefox> {
  const path = findFirefox();
  if (!path) throw new Error('No Firefox: npm test brings one');
  await mkdir(profile, { recursive: true });
  await writeFile(
    join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const portFile = join(profile, 'MarionetteActivePort');
  await rm(portFile, { force: true });
  const child = spawn(path, ['--marionette', '--headless', '--no-remote', '--profile', profile], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOME: profile,
      MOZ_HEADLESS_WIDTH: String(width),
      MOZ_HEADLESS_HEIGHT: String(height),
      TZ: 'Europe/Rome',
    },
  });
  const ended = once(child, 'exit');
  const kill = async () => {
    await killProcessesOf(profile);
    await ended;
  };
  try {
    let port = 0;
    await until(
      async () => (port = Number(await readFile(portFile, 'utf8').catch(() => '0'))) > 0,
      60_000,
    );
    const { send, hello } = await speakMarionette(port);
    return {
      name: 'Firefox',
      version: hello.browserVersion,
      tab: await openTab((command, params) => send(`WebDriver:${command}`, params)),
      kill,
      [Symbol.asyncDispose]: kill,
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };
/**
 * [0, id, command, params] is sent, [1, id, error, result] comes back, each after its length in
 * bytes and a colon.
 */
type Message = [
  kind: 1,
  id: number,
  error: { error: string; message: string } | null,
  result: unknown,
];

async function speakMarionette(port: number): Promise<{
  send: (command: `WebDriver:${Command}`, params: Record<string, unknown>) => Promise<unknown>;
  hello: { browserVersion: string };
}> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const waiting = new Map<number, Waiting>();
  let heard = Buffer.alloc(0);
  let last = 0;
  socket.on('data', (chunk) => {
    heard = Buffer.concat([heard, chunk]);
    for (let colon = heard.indexOf(':'); colon > 0; colon = heard.indexOf(':')) {
      const end = colon + 1 + Number(heard.subarray(0, colon));
      if (heard.length < end) return;
      const message = JSON.parse(heard.subarray(colon + 1, end).toString()) as Message | object;
      heard = heard.subarray(end);
      if (Array.isArray(message)) settle(message as Message);
    }
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has gone'));
  });
  socket.on('error', () => {});

  function settle([, id, error, result]: Message): void {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (error) reject(new Error(`${error.error}: ${error.message}`));
    else
      resolve(
        result !== null && typeof result === 'object' && 'value' in result ? result.value : result,
      );
  }

  function send(command: string, params: Record<string, unknown>): Promise<unknown> {
    last += 1;
    const text = Buffer.from(JSON.stringify([0, last, command, params]));
    const answer = new Promise<unknown>((resolve, reject) => {
      waiting.set(last, { resolve, reject });
    });
    socket.write(Buffer.concat([Buffer.from(`${text.length}:`), text]));
    return answer;
  }
  const session = (await send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } })) as {
    capabilities: { browserVersion: string };
  };
  return { send, hello: session.capabilities };
}

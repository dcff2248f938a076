/**
 * A real WebKit (WebKitGTK's MiniBrowser, the closest to an iPhone's Safari on Linux), driven
 * over WebDriver on a virtual screen.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { bring } from './bring.ts';
import { until } from '#tests/support/make.ts';
import { freePort } from '#tests/support/port.ts';
import { openTab, type Command, type Driven } from './webdriver.ts';

const drivers = ['/usr/bin/WebKitWebDriver'];
const browsers = ['x86_64', 'aarch64'].map(
  (cpu) => `/usr/lib/${cpu}-linux-gnu/webkit2gtk-4.1/MiniBrowser`,
);
const screens = ['/usr/bin/Xvfb'];

/** Null: a part of it is not on this machine yet. */
function findWebKit(): { driver: string; browser: string; screen: string } | null {
  const [driver, browser, screen] = [drivers, browsers, screens].map((paths) =>
    paths.find(existsSync),
  );
  return driver && browser && screen ? { driver, browser, screen } : null;
}

/** Debian's packages: a download of 60 MB, 200 MB on the disk. */
export function ensureWebKit(): string {
  return bring({
    name: 'WebKit',
    find: () => findWebKit()?.driver ?? null,
    packages: ['webkit2gtk-driver', 'xvfb'],
  });
}

/** The path of each command below the session; commands of an element contain its id. */
const paths: Record<Command, (id: string) => string> = {
  Navigate: () => 'url',
  ExecuteAsyncScript: () => 'execute/async',
  FindElement: () => 'element',
  SetTimeouts: () => 'timeouts',
  ElementClick: (id) => `element/${id}/click`,
  ElementSendKeys: (id) => `element/${id}/value`,
};

/** Its data lives as long as this browser, because it has no profile under a driver. */
export async function launchWebKit(): Promise<Driven> {
  const found = findWebKit();
  if (!found) throw new Error('No WebKit: npm test brings one');
  const started: ChildProcess[] = [];
  const stop = async () => {
    for (const child of started.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
  };
  try {
    const screen = spawn(
      found.screen,
      ['-displayfd', '3', '-screen', '0', '800x1000x24', '-nolisten', 'tcp'],
      { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
    );
    started.push(screen);
    const [display] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
    const port = await freePort();
    // Its sandbox needs rights that a container does not give.
    const env = {
      ...process.env,
      DISPLAY: `:${display.toString().trim()}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      LANG: 'C.UTF-8',
      TZ: 'Europe/Rome',
    };
    started.push(
      spawn(found.driver, [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore', env }),
    );
    const ask = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { connection: 'close' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { value } = (await response.json()) as { value: unknown };
      if (!response.ok)
        throw new Error(
          Object.values(value as Record<string, string>)
            .slice(0, 2)
            .join(': '),
        );
      return value;
    };
    await until(() =>
      ask('GET', '/status').then(
        () => true,
        () => false,
      ),
    );
    const session = (await ask('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          'webkitgtk:browserOptions': { binary: found.browser, args: ['--automation'] },
        },
      },
    })) as { sessionId: string; capabilities: { browserVersion: string } };
    return {
      name: 'WebKitGTK',
      version: session.capabilities.browserVersion,
      tab: await openTab((command, { id, ...params }) =>
        ask('POST', `/session/${session.sessionId}/${paths[command](String(id))}`, params),
      ),
      async [Symbol.asyncDispose]() {
        await ask('DELETE', `/session/${session.sessionId}`).catch(() => {});
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

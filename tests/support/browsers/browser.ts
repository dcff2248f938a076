/**
 * The Chromium of the tests: an installed one, else Playwright's own, else Debian's package.
 * Pages are drawn by its headless shell if there is one, which has the same engine at half the
 * cost. Installing an app, and waking it by the system, needs the whole browser.
 */
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type LaunchOptions } from 'playwright';
import { bring, debianPackages } from './bring.ts';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
];

/** Null: there is none on this machine yet. */
export function findChromium(): string | null {
  return (
    [process.env['CHROMIUM'] ?? '', ...installed, chromium.executablePath()].find(
      (path) => path !== '' && existsSync(path),
    ) ?? null
  );
}

/** Null: there is none, or a setting names another browser. */
function findShell(): string | null {
  if (process.env['CHROMIUM']) return null;
  // Playwright stores it in a folder beside its Chromium: chromium-1234/chrome-linux/chrome.
  const kept = dirname(dirname(dirname(chromium.executablePath())));
  const names = '{headless_shell,chrome-headless-shell}{,.exe}';
  const own = globSync(join('chromium_headless_shell-*', '*', names), { cwd: kept });
  return (
    ['/usr/bin/chromium-headless-shell', ...own.map((path) => join(kept, path))].find((path) =>
      existsSync(path),
    ) ?? null
  );
}

/** Installs the shell if possible; without it the whole browser works, only slower. */
export function ensureShell(): string {
  if (process.env['CHROMIUM']) return 'the same';
  try {
    return bring({
      name: 'headless shell',
      find: findShell,
      ways: [
        ...debianPackages('chromium-headless-shell'),
        {
          name: 'Playwright’s own',
          command: process.execPath,
          args: ['node_modules/playwright/cli.js', 'install', '--only-shell', 'chromium'],
        },
      ],
      packages: ['chromium-headless-shell'],
    });
  } catch {
    return 'none: Chromium draws the pages, at twice the cost';
  }
}

/** Installs the browser if necessary. */
export function ensureChromium(): string {
  return bring({
    name: 'Chromium',
    find: findChromium,
    ways: [
      {
        name: 'Playwright’s own',
        command: process.execPath,
        args: ['node_modules/playwright/cli.js', 'install', 'chromium'],
      },
      ...debianPackages('chromium'),
    ],
    packages: ['chromium'],
  });
}

/** No sandbox, because tests may run as root; no network traffic of the browser itself. */
export const browserOptions = {
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
  ],
} satisfies LaunchOptions;

function chromiumHere(): string {
  const path = findChromium();
  if (!path) throw new Error('No Chromium: npm test brings one');
  return path;
}

async function start(path: string, args: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    ...browserOptions,
    args: [...browserOptions.args, ...args],
    executablePath: path,
  });
  const { newContext } = browser;
  browser.newContext = async (options) => {
    const context = guardPolicy(await newContext.call(browser, options));
    await context.addInitScript(saveData);
    return context;
  };
  return browser;
}

/**
 * Pages are told that their person saves data: otherwise each page of the office fetches all other
 * screens, which costs twice as much as the one that a test looks at (tests/admin/ahead.test.ts).
 */
function saveData(): void {
  const { connection } = navigator as { connection?: object };
  if (connection)
    Object.defineProperty(connection, 'saveData', { value: true, configurable: true });
}

/**
 * Every violation of a Content-Security-Policy by a page, frame or worker fails the run, in every
 * test that opens Chromium.
 */
function guardPolicy(context: BrowserContext): BrowserContext {
  return context.on('console', (message) => {
    if (/Content Security Policy/.test(message.text()))
      throw new Error(`${message.page()?.url()}: ${message.text()}`);
  });
}

/**
 * The whole browser has services that the shell lacks, such as the background sync that wakes a
 * worker.
 */
export function launchWholeBrowser(): Promise<Browser> {
  return start(chromiumHere());
}

/** The browser of this worker, where workers live longer than a file (vitest.config.ts). */
let kept: Promise<Browser> | null = null;

/** With arguments, a browser for this call; without, one that all files of a worker share. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const path = findShell() ?? chromiumHere();
  if (args.length > 0 || process.env['WORKER_STAYS'] !== 'yes') return start(path, args);
  if (!(await kept)?.isConnected()) kept = start(path);
  return lend(await kept!);
}

/** Closing it closes only its contexts, because the browser itself is shared. */
function lend(browser: Browser): Browser {
  const close = async () => {
    for (const context of browser.contexts()) await context.close();
  };
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close') return close;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A browser with a profile that survives it, as an installed app needs. */
export function launchProfile(
  folder: string,
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserContext> {
  return chromium
    .launchPersistentContext(folder, {
      ...browserOptions,
      executablePath: chromiumHere(),
      ...options,
    })
    .then(guardPolicy);
}

/** The same in the headless shell, which stores the data of pages as the whole browser does. */
export function launchShellProfile(
  folder: string,
  options: Parameters<typeof chromium.launchPersistentContext>[1] = {},
): Promise<BrowserContext> {
  return launchProfile(folder, { executablePath: findShell() ?? chromiumHere(), ...options });
}

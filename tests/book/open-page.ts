/** Opens the page that checks books from the disk, in each engine, and gives it a book. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { launchBrowser } from '#tests/support/browsers/browser.ts';
import { launchFirefox } from '#tests/support/browsers/firefox.ts';
import type { Driven } from '#tests/support/browsers/webdriver.ts';
import { launchWebKit } from '#tests/support/browsers/webkit.ts';
import { bytesOf, inventFacts, makeSigner, writeLines } from './make-book.ts';

export const verifyPage = pathToFileURL(
  join(import.meta.dirname, '../../dist/verify/index.html'),
).href;

export const signer = makeSigner();
const whole = writeLines(inventFacts(20), signer, [30]);
/** One as it was written, and one with a price that somebody has changed. */
export const books = {
  'intero.json.gz': whole,
  'toccato.json.gz': whole.with(4, whole[4]!.replace('1400', '1300')),
};

/** A folder with books in it, packed as the product packs them. */
export async function bookFolder(books: Record<string, readonly string[]>) {
  const folder = await mkdtemp(join(tmpdir(), 'botteghino-book-'));
  for (const [name, lines] of Object.entries(books))
    await writeFile(join(folder, name), gzipSync(bytesOf(lines)));
  return {
    at: (name: string) => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What stands in the coloured box at the end, and how long it took from the choice of the file. */
type OpenBook = (file: string) => Promise<{ said: string; ms: number }>;

interface Engine extends AsyncDisposable {
  name: string;
  open: OpenBook;
}

export const engines: Record<string, () => Promise<Engine>> = {
  Chromium: openChromium,
  Firefox: openFirefox,
  WebKit: async () => driven(await launchWebKit()),
};

async function openChromium(): Promise<Engine> {
  const browser = await launchBrowser();
  return {
    name: `Chromium ${browser.version()}`,
    async open(file) {
      const page = await browser.newPage();
      await page.goto(verifyPage);
      const began = performance.now();
      await page.setInputFiles('#file', file);
      const box = page.locator('.verdict h2');
      await box.waitFor({ timeout: 60_000 });
      const answer = { said: await box.innerText(), ms: performance.now() - began };
      await page.close();
      return answer;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

async function openFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'botteghino-firefox-'));
  const engine = driven(await launchFirefox(profile));
  return {
    ...engine,
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

function driven(browser: Driven): Engine {
  const { name, version, tab } = browser;
  return {
    name: `${name} ${version}`,
    async open(file) {
      await tab.goto(verifyPage);
      const began = performance.now();
      await tab.sendKeys('//input[@id="file"]', file);
      await tab.until(() => document.querySelector('.verdict h2') !== null);
      const said = await tab.run(() => document.querySelector('.verdict h2')!.textContent);
      return { said, ms: performance.now() - began };
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}

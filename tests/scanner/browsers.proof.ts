/** The scanner in the other two engines, Firefox and WebKit: what is kept on the phone, opened without a server, decided alone, and handed in. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchFirefox } from '#tests/support/browsers/firefox.ts';
import { makeAdmin } from '#tests/support/make.ts';
import { pairingLink, sellTickets, type SoldTicket } from '#tests/support/door/phone.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';
import type { Driven, Tab } from '#tests/support/browsers/webdriver.ts';
import { launchWebKit } from '#tests/support/browsers/webkit.ts';

/** An address at which the product answers until it is cut, and again once it is mended: from outside, a server that was killed and came back. */
async function startCuttable(target: string) {
  const sockets = new Set<Socket>();
  const listen = async (port: number) => {
    const server = createServer((incoming) => {
      const outgoing = connect(Number(new URL(target).port), '127.0.0.1');
      for (const socket of [incoming, outgoing]) {
        sockets.add(socket);
        socket
          .on('error', () => {})
          .on('close', () => {
            sockets.delete(socket);
            incoming.destroy();
            outgoing.destroy();
          });
      }
      incoming.pipe(outgoing).pipe(incoming);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://localhost:${port}`,
    cut,
    async mend() {
      server = await listen(port);
    },
    [Symbol.asyncDispose]: cut,
  };
}

async function startDoor() {
  const server = await startServer({ worker: true });
  const line = await startCuttable(server.url);
  const tickets = await sellTickets(server, { count: 3 });
  const link = await pairingLink(server, await makeAdmin(server), {
    name: 'Luca',
    gate: 'Varco A',
    origin: line.url,
  });
  return {
    server,
    line,
    tickets,
    link,
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

type Door = Awaited<ReturnType<typeof startDoor>>;

/** Paired, with the list and the whole app on the phone. */
async function pairAndInstall(tab: Tab, { link, line }: Door): Promise<void> {
  await tab.goto(link);
  await tab.until(() => document.querySelector('[data-check=list]:not([data-mark=wait])') !== null);
  await tab.until(() => document.querySelector('[data-check=offline][data-mark=good]') !== null);
  await tab.until(() => navigator.serviceWorker.controller !== null);
  expect(await tab.run(() => navigator.serviceWorker.controller!.scriptURL)).toBe(
    `${line.url}/scanner/sw.js`,
  );
}

/** From any screen of the app to the door, and one code by hand; the verdict as painted. */
async function admitByHand(tab: Tab, { code }: SoldTicket): Promise<string> {
  const before = await tab.run(
    () =>
      document.querySelector('[data-last-admission]')?.getAttribute('data-last-admission') ?? null,
  );
  await tab.run(() => {
    document.querySelector<HTMLButtonElement>('.screens-scan-verdict-verdict_close')?.click();
  });
  await tab.press('Inserisci il codice');
  await tab.type('Codice del biglietto', code.toLowerCase());
  await tab.press('Controlla');
  await tab.until(
    (id) =>
      (document.querySelector('[data-last-admission]')?.getAttribute('data-last-admission') ??
        null) !== id,
    before,
  );
  return tab.run(() =>
    document.querySelector('[data-last-admission]')!.getAttribute('data-last-verdict')!,
  );
}

async function waitForQueue(tab: Tab, length: number): Promise<void> {
  await tab.until((wanted) => document.querySelector(`[data-queue="${wanted}"]`) !== null, length);
}

async function admissionsOf(server: TestServer): Promise<[number, number][]> {
  return (await server.house.ctx.db('admissions').orderBy('seq')).map(({ seq, counts }) => [
    seq,
    counts,
  ]);
}

/** One evening of a phone, the same in each engine; `restart` is the battery that dies, where the engine keeps a profile. */
async function spendEvening(
  driven: Driven,
  door: Door,
  restart: (() => Promise<Tab>) | null,
): Promise<void> {
  let { tab } = driven;
  const {
    server,
    line,
    tickets: [first, second, third],
  } = door;
  await pairAndInstall(tab, door);
  await line.cut();
  await tab.reload();
  await tab.press('Inizia');
  expect(await admitByHand(tab, first!)).toBe('admit');
  await tab.goto(`${line.url}/scanner/da/qui`);
  await tab.press('Inizia');
  await waitForQueue(tab, 1);
  expect(await admitByHand(tab, first!)).toMatch(/^(?:already_in|just_read)$/);
  expect(await admitByHand(tab, second!)).toBe('admit');
  await waitForQueue(tab, 3);
  if (restart) {
    tab = await restart();
    await tab.goto(`${line.url}/scanner/`);
    await tab.press('Inizia');
    await waitForQueue(tab, 3);
  }
  expect(await admissionsOf(server)).toEqual([]);

  await line.mend();
  await tab.run(() => {
    dispatchEvent(new Event('online'));
  });
  await waitForQueue(tab, 0);
  expect(await admissionsOf(server)).toEqual([
    [0, 1],
    [1, 0],
    [2, 1],
  ]);
  // With a line a scan goes up at once.
  expect(await admitByHand(tab, third!)).toBe('admit');
  await expect
    .poll(() => admissionsOf(server), { timeout: 15_000, interval: 100 })
    .toEqual([
      [0, 1],
      [1, 0],
      [2, 1],
      [3, 1],
    ]);
}

test('Firefox: installed, opened and used without a server, killed, and every scan comes to the server once', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'botteghino-firefox-'));
  onTestFinished(() => rm(profile, { recursive: true, force: true }));
  await using door = await startDoor();
  await using firefox = await launchFirefox(profile);
  await using second = new AsyncDisposableStack();
  await spendEvening(firefox, door, async () => {
    await firefox.kill();
    return second.use(await launchFirefox(profile)).tab;
  });
}, 300_000);

test('WebKit: installed, opened and used without a server, and every scan comes to the server once', async () => {
  await using door = await startDoor();
  await using webkit = await launchWebKit();
  await spendEvening(webkit, door, null);
}, 300_000);

/** A phone at a rehearsal: one code for every word that the door can say, in one server. */
import type { Browser, BrowserContext, Page } from 'playwright';
import { setDoorPin, makePhone } from '#server/contract/door/phones.ts';
import { makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { addCamera } from './camera.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { phoneScreen, startScanning, typeCode, verdictAfter, waitForList } from './phone.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

export interface RehearsalPhone {
  context: BrowserContext;
  page: Page;
}
export interface Rehearsed extends AsyncDisposable {
  server: TestServer;
  admin: { cookie: string };
  event_id: string;
  /** The codes of the sheet, by their card's key; a group has several. */
  codes: (key: string) => string[];
  /** Paired, list loaded; scanning unless told otherwise. Ends with the rehearsal. */
  phone: (options?: {
    name?: string;
    gate?: string | null;
    role?: 'steward' | 'supervisor';
    scans?: boolean;
  }) => Promise<RehearsalPhone>;
}

export async function startRehearsal(
  browser: Browser,
  { pin = null }: { pin?: string | null } = {},
): Promise<Rehearsed> {
  const server = await startServer({ worker: true });
  const admin = await makeAdmin(server);
  if (pin !== null) await callOk(server, setDoorPin, { body: { pin } }, admin);
  const { event_id, cards } = await callOk(
    server,
    makeRehearsal,
    { body: { event_id: 'la-locandiera' } },
    admin,
  );
  const contexts: BrowserContext[] = [];
  return {
    server,
    admin,
    event_id,
    codes: (key) =>
      cards
        .filter((card) => card.key === key || card.key.startsWith(`${key}-`))
        .map(({ code }) => code),
    async phone({ name = 'Luca', gate = null, role = 'steward', scans = true } = {}) {
      const made = await callOk(
        server,
        makePhone,
        { body: { name, gate, role, event_ids: [event_id] } },
        admin,
      );
      const context = await browser.newContext({
        ...phoneScreen,
        serviceWorkers: 'block',
        hasTouch: true,
      });
      contexts.push(context);
      await addCamera(context);
      const page = await context.newPage();
      await page.goto(`${server.url}/scanner/${new URL(made.pairing_url).hash}`);
      await waitForList(page);
      if (scans) await startScanning(page);
      return { context, page };
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts) await context.close();
      await server.close();
    },
  };
}

/** Put under a reader that types; gives back the verdict. */
export function readCode(page: Page, code: string): Promise<string> {
  return verdictAfter(page, () => typeCode(page, code));
}

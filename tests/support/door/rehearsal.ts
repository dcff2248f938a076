/**
 * A phone at a rehearsal, with one code for every verdict that the door can give, in one server.
 */
import type { Browser, BrowserContext, Page } from 'playwright';
import { setDoorPin, makePhone } from '#server/contract/door/phones.ts';
import { makeRehearsal } from '#server/contract/door/rehearsals.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { openPhone, typeCode, verdictAfter, type Phone } from './phone.ts';
import { startServer } from '#tests/support/server.ts';

export type Rehearsed = Awaited<ReturnType<typeof startRehearsal>>;

export async function startRehearsal(
  browser: Browser,
  { pin = null }: { pin?: string | null } = {},
) {
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
    /** The codes of the sheet by the key of their card; a group has several. */
    codes: (key: string) =>
      cards
        .filter((card) => card.key === key || card.key.startsWith(`${key}-`))
        .map(({ code }) => code),
    /** A paired phone with its list; it scans unless told otherwise. It ends with the rehearsal. */
    async phone({
      name = 'Luca',
      gate = null,
      role = 'steward',
      more = [],
      scans = true,
    }: {
      name?: string;
      gate?: string | null;
      role?: 'steward' | 'supervisor';
      /** Further events of the phone. */ more?: string[];
      scans?: boolean;
    } = {}): Promise<Phone> {
      const event_ids = [event_id, ...more];
      const body = { name, gate, role, event_ids };
      const { pairing_url } = await callOk(server, makePhone, { body }, admin);
      const link = `${server.url}/scanner/${new URL(pairing_url).hash}`;
      const phone = await openPhone(browser, link, { scans });
      contexts.push(phone.context);
      return phone;
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts) await context.close();
      await server.close();
    },
  };
}

/** Reads the code with a handheld reader that types; returns the verdict. */
export function readCode(page: Page, code: string): Promise<string> {
  return verdictAfter(page, () => typeCode(page, code));
}

/** The phone's core in Node: real HTTP to a real server, a storage of its own, and a clock that the test moves. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { CallError, networkError } from '#apps/shared/api.ts';
import { openCore } from '#apps/scanner/scan/core.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { ask } from '#tests/support/make.ts';

export type NodePhone = Awaited<ReturnType<typeof openNodePhone>>;

interface Options {
  now: () => number;
  storage?: IDBFactory;
  isOnline?: () => boolean;
  /** What becomes of an address on its way to the server. */
  onTheWay?: (address: string) => string;
  /** Beyond what a phone needs. */
  more?: Partial<Ports>;
}

/** Paired with the token of a pairing link, or opened again on its storage. */
export async function openNodePhone(
  server: { url: string },
  {
    now,
    storage = new IDBFactory(),
    isOnline = () => true,
    onTheWay = (a) => a,
    more = {},
  }: Options,
  token?: string,
) {
  const timers = new Set<NodeJS.Timeout>();
  const ports: Ports = {
    db_name: 'botteghino-scanner',
    indexedDB: storage,
    IDBKeyRange: IDBKeyRange as typeof globalThis.IDBKeyRange,
    now,
    isOnline,
    appVersion: 'test',
    async call(endpoint, asked, options) {
      if (!isOnline()) throw new CallError('unknown', networkError, 'Network error');
      const { params, query, body } = asked as {
        params?: Record<string, string>;
        query?: Record<string, unknown>;
        body?: unknown;
      };
      const address = onTheWay(addressOf(endpoint, params, query));
      const answer = await ask(server, endpoint.method, address, {
        body,
        headers: options.token === undefined ? {} : { authorization: `Bearer ${options.token}` },
      });
      const refused = answer.body as {
        status: number;
        code: string;
        message: string;
        detail?: unknown;
      };
      if (answer.status >= 400)
        throw new CallError(refused.status, refused.code, refused.message, refused.detail);
      return answer.body as never;
    },
    async callBytes(endpoint, { params, query }, { token }) {
      if (!isOnline()) throw new CallError('unknown', networkError, 'Network error');
      const response = await fetch(server.url + onTheWay(addressOf(endpoint, params, query)), {
        headers: { authorization: `Bearer ${token}` },
      });
      if (response.ok) return response.arrayBuffer();
      const { status, code, message } = (await response.json()) as CallError;
      throw new CallError(status, code, message);
    },
    random: (count) => crypto.getRandomValues(new Uint8Array(count)),
    // One tab: nobody to wait for.
    locks: {
      request: (async (_: string, ...rest: unknown[]) =>
        (rest.at(-1) as (lock: object) => unknown)({})) as LockManager['request'],
    },
    after(ms, act) {
      const timer = setTimeout(act, ms);
      timers.add(timer);
      return () => clearTimeout(timer);
    },
    ...more,
  };
  const core = openCore(ports);
  await core.ready();
  if (token !== undefined) {
    await core.pair(token);
    await core.syncOnce();
  }
  return {
    core,
    storage,
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
      core.stop();
    },
  };
}

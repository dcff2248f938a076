/**
 * The network between the phones and the real server: every call waits for its turn in both
 * directions, and may be lost, arrive twice, or be answered by a Wi-Fi portal.
 */
import type { Server } from 'node:http';
import { callFaults } from './door-history.ts';
import { kindOf, nextFault, settle, working, type Life } from './door-life.ts';
import { callServer } from './door-wire.ts';

interface Parked {
  life: Life;
  go: () => void;
  drop: () => void;
}

export type Line = ReturnType<typeof makeLine>;

interface Ask {
  server: Server;
  hasSignal: (life: Life) => boolean;
  /** The address as the phone's release would write it. */
  inWire: (life: Life, path: string) => string;
  picks: readonly number[];
  tell: (what: string) => void;
  count: (what: string) => void;
  wrong: (what: string) => void;
}

/** More calls in one run of the queue are reported as a storm. */
const mostTurns = 600;

/** The results of the scans of a batch, for the story. */
function fatesIn(body: ArrayBuffer): string {
  const { results } = JSON.parse(new TextDecoder().decode(body)) as {
    results?: { admission_id: string | null; result: string }[];
  };
  return (results ?? [])
    .map(({ admission_id, result }) => `${admission_id?.slice(0, 6)} ${result}`)
    .join(', ');
}

export function makeLine({ server, hasSignal, inWire, picks, tell, count, wrong }: Ask) {
  let parked: Parked[] = [];
  let picked = 0;
  const dead = () => new TypeError('fetch failed');
  const park = (life: Life, signal: AbortSignal | null | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = (end: () => void) => () => {
        if (!parked.includes(entry)) return;
        parked = parked.filter((other) => other !== entry);
        end();
      };
      const entry: Parked = { life, go: () => {}, drop: () => {} };
      entry.go = leave(resolve);
      entry.drop = leave(() => reject(dead()));
      signal?.addEventListener(
        'abort',
        leave(() => reject(new DOMException('The operation was aborted', 'AbortError'))),
      );
      parked.push(entry);
    });

  const line = {
    requests: 0,
    /** The connection that a phone's call() uses. */
    async fetchAs(life: Life, asked: string, init: RequestInit): Promise<Response> {
      if (life.dead) return new Promise(() => {});
      const { signal } = init;
      const path = inWire(life, asked);
      if (signal?.aborted) throw new DOMException('The operation was aborted', 'AbortError');
      if (!hasSignal(life)) throw dead();
      line.requests += 1;
      const fault = kindOf(nextFault(life, 'call'), callFaults);
      const words = `${life.name}: ${init.method ?? 'GET'} ${path.replace(/^\/api\/scanner\//, '')}`;
      if (fault) count(`call ${fault}`);
      await park(life, signal);
      if (life.dead) return new Promise(() => {});
      if (fault === 'lost') {
        tell(`${words} is lost`);
        throw dead();
      }
      if (fault === 'portal')
        return new Response('<html><title>Wi-Fi gratis</title></html>', {
          headers: { 'content-type': 'text/html' },
        });
      if (fault === 'nonsense') return Response.json({ ok: true });
      if (fault === 'busy')
        return Response.json(
          { status: 503, code: 'provider_silent', message: 'Riprova tra poco.' },
          { status: 503 },
        );
      let answer = await working(callServer(server, path, init));
      if (fault === 'twice') answer = await working(callServer(server, path, init));
      tell(
        `${words}: ${answer.status}${fault ? ` (${fault})` : ''}${init.method === 'POST' && path.endsWith('/admissions') ? ` ${fatesIn(answer.body)}` : ''}`,
      );
      if (answer.status >= 500)
        wrong(`${words}: ${answer.status} ${new TextDecoder().decode(answer.body).slice(0, 200)}`);
      await park(life, signal);
      if (life.dead) return new Promise(() => {});
      if (fault === 'no answer') throw dead();
      const body =
        fault === 'torn' ? answer.body.slice(0, answer.body.byteLength >> 1) : answer.body;
      return new Response(body.byteLength === 0 ? null : body, {
        status: answer.status,
        headers: { 'content-type': answer.type },
      });
    },
    /** Lets waiting calls continue, one after the other, until none waits. */
    async drain() {
      for (let turns = 0; ; turns += 1) {
        await settle();
        if (parked.length === 0) return;
        if (turns > mostTurns) {
          wrong(`a storm of calls: ${parked.map(({ life }) => life.name).join(', ')}`);
          for (const { drop } of parked) drop();
          return;
        }
        parked[(picks[picked++] ?? 0) % parked.length]!.go();
      }
    },
    /** These phones lose their signal: running calls fail. */
    cut(lives: readonly Life[]) {
      for (const { life, drop } of parked) if (lives.includes(life)) drop();
    },
    forget(life: Life) {
      parked = parked.filter((entry) => entry.life !== life);
    },
  };
  return line;
}

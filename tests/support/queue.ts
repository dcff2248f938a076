/**
 * Waiting rooms in tests: entrants with a cookie of their own, and a room that the test advances.
 */
import { randomBytes } from 'node:crypto';
import { addressOf, type Asked, type EndpointShape } from '#server/contract/endpoint.ts';
import {
  enterQueue,
  readQueue,
  readQueuePlace,
  setQueue,
  takeQueueHold,
  takeQueuePass,
} from '#server/contract/queue.ts';
import { stepQueues } from '#server/services/queue/pace.ts';
import { forgetRooms } from '#server/services/queue/rooms.ts';
import { ask, callOk, demoEvent, type Answered } from './make.ts';
import type { TestServer } from './server.ts';

export const params = { eventId: demoEvent };

type Settings = Asked<typeof setQueue>['body'];
export const plainRoom: Settings = {
  mode: 'on',
  opens_at: null,
  fixed_per_minute: 600,
  minutes: 10,
  most_inside: null,
  code: null,
};

export function openRoom(
  server: TestServer,
  admin: { cookie: string },
  settings: Partial<Settings> = {},
) {
  return callOk(server, setQueue, { params, body: { ...plainRoom, ...settings } }, admin);
}

export function room(server: { url: string }) {
  return callOk(server, readQueue, { params });
}

/** Advances the clock and the rooms second by second, as the worker does. */
export async function passTime(server: TestServer, seconds: number): Promise<void> {
  const { ctx } = server.house;
  for (let second = 0; second < seconds; second += 1) {
    server.clock.advance(1_000);
    forgetRooms(ctx);
    await stepQueues(ctx);
  }
}

/** Passes the time of the draw, until the seed is public. */
export async function openNow(server: TestServer): Promise<void> {
  await passTime(server, 4);
}

/** A browser with its cookie, whose requests and answers a test can read. */
export class Entrant {
  cookie = '';
  private readonly server: { url: string };

  constructor(server: { url: string }) {
    this.server = server;
  }

  async call<const E extends EndpointShape>(endpoint: E, body?: unknown): Promise<Answered> {
    const answer = await ask(this.server, endpoint.method, addressOf(endpoint, params), {
      body,
      headers: this.cookie === '' ? {} : { cookie: this.cookie },
    });
    const set = answer.headers.getSetCookie()[0];
    if (set !== undefined) this.cookie = set.split(';')[0]!;
    return answer;
  }

  /** The code of a refusal, or 'ok'. */
  async codeOf<const E extends EndpointShape>(endpoint: E, body?: unknown): Promise<string> {
    const { status, body: told } = await this.call(endpoint, body);
    return status < 300 ? 'ok' : (told as { code: string }).code;
  }

  async enter(): Promise<Place> {
    const nonce = randomBytes(16).toString('base64url');
    return (await this.call(enterQueue, { nonce })).body as Place;
  }
  async place(): Promise<Place> {
    return (await this.call(readQueuePlace)).body as Place;
  }
  pass(body: { code?: string } = {}): Promise<string> {
    return this.codeOf(takeQueuePass, body);
  }
  async hold(): Promise<string> {
    const { body } = await this.call(takeQueueHold);
    return (body as { hold_token: string }).hold_token;
  }
}

interface Place {
  place_hash: string;
  state: string;
  number: number | null;
  until: string | null;
  mail: boolean;
}

export async function entrants(server: { url: string }, count: number): Promise<Entrant[]> {
  const all: Entrant[] = [];
  for (let n = 0; n < count; n += 1) {
    const one = new Entrant(server);
    await one.enter();
    all.push(one);
  }
  return all;
}

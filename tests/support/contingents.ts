/**
 * Contingents in tests: the office creates one, and visitors hold and buy with and without its
 * code.
 */
import { makeContingent, openContingent } from '#server/contract/contingents.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import { ask, callOk, demoEvent, holdObjects, makeHoldToken } from './make.ts';
import type { TestServer } from './server.ts';

const params = { eventId: demoEvent };
export const wish = {
  name: 'Amici del teatro',
  color: 'violet' as const,
  sale: 'code' as const,
  code: 'Amici-2026',
  release_at: null,
  areas: [],
};
export type Office = { cookie: string };

export function tryMake(server: TestServer, office: Office, body: object) {
  return ask(server, 'POST', `/api/admin/events/${demoEvent}/contingents`, {
    body: { ...wish, ...body },
    headers: office,
  });
}

export function makeOne(
  server: TestServer,
  office: Office,
  body: Partial<Asked<typeof makeContingent>['body']> & { objects: string[] },
) {
  return callOk(server, makeContingent, { params, body: { ...wish, ...body } }, office);
}

export function openCode(server: TestServer, code: string) {
  return callOk(server, openContingent, { params, body: { code } });
}

function choose(objects: readonly string[]) {
  return objects.map((object_id) => ({ object_id, ticket_type: 'intero' }));
}

/** A visitor whose browser sends these channels. */
export async function hold(server: TestServer, objects: readonly string[], channels?: string[]) {
  const token = await makeHoldToken(server);
  return { token, ...(await holdObjects(server, token, choose(objects), { channels })) };
}

export function book(server: TestServer, token: string, objects: readonly string[], code?: string) {
  return ask(server, 'POST', `/api/event/${demoEvent}/book`, {
    body: {
      hold_token: token,
      selected_objects: choose(objects),
      ...(code === undefined ? {} : { contingent_code: code }),
    },
  });
}

export async function buyWithCode(server: TestServer, objects: readonly string[], code: string) {
  const { channels } = await openCode(server, code);
  const held = await hold(server, objects, channels);
  if (held.status !== 200) return { status: held.status, body: held.body };
  return book(server, held.token, objects, code);
}

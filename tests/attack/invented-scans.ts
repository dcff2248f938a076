/** A thief with a steward's token and no ticket: scans of every place, invented with what the phone's list holds. */
import { randomBytes } from 'node:crypto';
import { readAdmission, sendAdmissions } from '#server/contract/door/admissions.ts';
import { listDoubts } from '#server/contract/door/doubts.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { addHall, pairBare, sellPlaces } from '#tests/shared/door-hall.ts';
import { callOk, makeAdmin } from '#tests/support/make.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const event_id = 'rubata';
const places = Array.from({ length: 480 }, (_, nth) => `A${nth + 1}`);
/** Sold before the attack, and after it. */
const [before, after] = [places.slice(0, 8), places.slice(8, 28)];

const direction = 'in' as const;
/** What the thief says of each scan. */
export const lies = {
  code: { means: 'code' },
  'code, proof made up': { means: 'code', isProved: true },
  group: { means: 'group', isProved: true },
  'by hand': { means: 'search' },
} as const;

function invented(place: string, seq: number, lie: (typeof lies)[keyof typeof lies]) {
  const at = new Date().toISOString();
  const { means, isProved = false } = { isProved: false, ...lie };
  return {
    admission_id: randomBytes(16).toString('base64url'),
    seq,
    event_id,
    place,
    revision: 1,
    read: null,
    direction,
    gate: null,
    verdict: 'admit',
    counts: true,
    override: null,
    scanned_at: at,
    corrected_at: at,
    offline: false,
    means,
    ...(isProved && {
      code_read: { place: places[0], revision: 1, mac: randomBytes(16).toString('base64url') },
    }),
  };
}

/** One request of 480 scans, and what the house believes of it. */
export async function inventScans(server: TestServer, lie: (typeof lies)[keyof typeof lies]) {
  const { ctx } = server.house;
  const admin = await makeAdmin(server);
  await addHall(ctx, { id: event_id, places: places.map((label) => ({ label, gate: null })) });
  await sellPlaces(ctx, event_id, { places: before });
  const { headers } = await pairBare(ctx, { name: 'Rubato', event_ids: [event_id] });
  const items = places.map((place, seq) => invented(place, seq, lie));
  const began = performance.now();
  await callOk(server, sendAdmissions, { body: { items } }, headers);
  const ms = performance.now() - began;
  const tickets = await sellPlaces(ctx, event_id, { places: after });
  const verdicts = await Promise.all(
    tickets.map(({ id }) => callOk(server, readAdmission, { params: { ticketId: id } }, admin)),
  );
  const { inside, sold } = await callOk(
    server,
    readPresence,
    { params: { eventId: event_id } },
    admin,
  );
  const { open } = await callOk(server, listDoubts, { query: { event_id } }, admin);
  return {
    ms,
    inside,
    sold: sold - after.length,
    doubts: open,
    /** Buyers after the attack who are told that they are inside. */
    turnedAway: verdicts.filter(({ verdict }) => verdict === 'already_in').length,
  };
}

/** Every lie at a house of its own; prints what the house believed. */
export async function attackDoor(): Promise<void> {
  for (const [name, lie] of Object.entries(lies)) {
    await using server = await startServer();
    const { ms, inside, sold, doubts, turnedAway } = await inventScans(server, lie);
    console.log(
      `480 invented scans, ${name}: ${ms.toFixed(0)} ms, inside ${inside}, sold ${sold}, ${doubts} in doubt, ${turnedAway} of ${after.length} later buyers read GIÀ ENTRATO`,
    );
  }
}

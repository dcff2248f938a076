/** Those in a soak who look: browsers with a live map, which must show in the end what is true, and phones at the door, whose scans must all arrive. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RenderingInfo, StatusMessage } from '#server/standins/seatsio/wire.ts';
import { makePhone, pairPhone } from '#server/contract/door/phones.ts';
import { sendAdmissions, type ScanSent } from '#server/contract/door/admissions.ts';
import { fetchList, phoneOf, type DoorPhone } from '#tests/support/door/door-phone.ts';
import type { DoorHall } from '#tests/support/door/door-hall.ts';
import { until } from '#tests/support/make.ts';
import type { World } from './world.ts';

/** What is not free, by its label. */
export type Picture = Map<string, string>;

export async function readMap({ ledger, room }: World, event_id: string) {
  const answer = await ledger.send('GET', `${room}/rendering-info?event_key=${event_id}`);
  const { statuses, sequence } = answer.body as RenderingInfo;
  const picture: Picture = new Map(
    statuses
      .filter(({ status }) => status !== 'free')
      .flatMap(({ labels, status }) => labels.map((label) => [label, status] as const)),
  );
  return { picture, sequence };
}

/** A browser that follows the stream, connects again when it breaks, and keeps its picture by what it hears. */
export async function watchMap(
  world: World,
  event_id: string,
  stop: AbortSignal,
): Promise<Picture> {
  let { picture, sequence } = await readMap(world, event_id);
  const hear = async (message: StatusMessage) => {
    world.ledger.count('changes heard at live maps');
    if ('resync' in message) ({ picture, sequence } = await readMap(world, event_id));
    if (!('changes' in message)) return;
    sequence = Math.max(sequence, message.sequence);
    for (const { label, status } of message.changes)
      if (status === 'free') picture.delete(label);
      else picture.set(label, status);
  };
  while (!stop.aborted) {
    await followStream(
      `${world.house.url}${world.room}/events/${event_id}/stream?since=${sequence}`,
      { stop, hear },
    ).catch(() => {});
    await pause(200);
  }
  return picture;
}

async function followStream(
  url: string,
  { stop, hear }: { stop: AbortSignal; hear: (message: StatusMessage) => Promise<void> },
): Promise<void> {
  const answer = await fetch(url, { signal: stop });
  if (!answer.ok) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop()!;
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data !== undefined) await hear(JSON.parse(data) as StatusMessage);
    }
  }
}

interface Gate {
  phone: DoorPhone;
  event_id: string;
  headers: Record<string, string>;
}

export async function openGate(world: World, nth: number): Promise<Gate> {
  const { ledger, house, admin, events } = world;
  const event_id = events[0]!;
  const from = `10.252.0.${nth + 1}`;
  const made = await ledger.send('POST', makePhone.path, {
    headers: admin,
    body: { name: `Varco ${nth}`, gate: `Varco ${nth}`, event_ids: [event_id] },
  });
  const token = new URL((made.body as { pairing_url: string }).pairing_url).hash.slice(6);
  const paired = await ledger.send('POST', pairPhone.path, { from, body: { token } });
  const { device_token } = paired.body as { device_token: string };
  const codes = await house.db('events').where({ id: event_id }).first();
  const hall = { event_id, codes, tokens: [device_token] } as DoorHall;
  const phone = phoneOf({ url: house.url }, hall);
  return { phone, event_id, headers: { ...phone.headers, 'x-forwarded-for': from } };
}

/** A phone that is on and off: it lets in what it finds, also without a line, and hands it in until each scan was acknowledged. */
export async function keepDoor(
  world: World,
  { phone, event_id, headers }: Gate,
  isOver: () => boolean,
): Promise<void> {
  const { ledger, house, chance } = world;
  let queue: ScanSent[] = [];
  const handIn = async () => {
    const sent = queue.slice(0, 100);
    if (sent.length === 0) return;
    const answer = await ledger.send('POST', sendAdmissions.path, {
      headers,
      body: { items: sent },
    });
    const { results } = answer.body as { results: { admission_id: string; result: string }[] };
    for (const { admission_id, result } of results)
      if (result === 'unreadable') ledger.fault(`a scan was unreadable: ${admission_id}`);
      else ledger.scans.add(admission_id);
    queue = queue.filter(({ admission_id }) => !ledger.scans.has(admission_id));
    ledger.count('scans handed in', results.length);
  };
  while (!isOver()) {
    const isOffline = chance(5) === 0;
    if (!isOffline) {
      await ledger.persist('the list of the door', async () => {
        const list = await fetchList({ url: house.url }, event_id, headers);
        await list.arrayBuffer();
        return list;
      });
      ledger.count('lists of the door');
    }
    const places: string[] = await house
      .db('tickets')
      .where({ event_id, state: 'valid' })
      .whereNotIn(
        'place',
        house.db('admissions').where({ event_id }).whereNotNull('place').select('place'),
      )
      .limit(20)
      .pluck('place')
      // Without the database a phone still scans: codes that nobody knows.
      .catch(() => []);
    const guests = 1 + chance(4);
    for (let guest = 0; guest < guests; guest += 1) {
      const place = places[chance(Math.max(places.length, 1))] ?? null;
      const at = new Date(house.now()).toISOString();
      queue.push(phone.scan(place, { scanned_at: at, corrected_at: at, offline: isOffline }));
      await pause(100);
    }
    if (isOffline) await pause(1_000 + chance(3_000));
    else await handIn();
  }
  await until(async () => {
    await handIn();
    return queue.length === 0;
  }, 60_000);
}

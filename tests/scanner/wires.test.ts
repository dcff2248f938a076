/** Server and phone of two releases: each speaks the number of the wire before its own too, what it does not know is told, and no scan is lost. */
import { expect, onTestFinished, test } from 'vitest';
import * as v from 'valibot';
import { findEvent } from '#db/event/events.ts';
import { placeOf } from '#apps/scanner/list/image.ts';
import { readChanges, readList } from '#apps/scanner/list/page.ts';
import { pullChanges, pullList, sendAdmissions } from '#server/contract/door/admissions.ts';
import { addressOf } from '#server/contract/endpoint.ts';
import { errors } from '#server/contract/errors.ts';
import { openBlock } from '#server/domain/door/door-block.ts';
import { previousWire, wires, wireVersion } from '#server/domain/door/wire.ts';
import { codeOf } from '#server/services/order/tickets.ts';
import {
  addHall,
  moveTicket,
  pairBare,
  pairingToken,
  sellPlaces,
} from '#tests/shared/door-hall.ts';
import { openNodePhone } from '#tests/shared/node-phone.ts';
import { testOnSqlite as it } from '#tests/support/both.ts';
import { blockAnswerOf, doorPageOf, listedPlace } from '#tests/support/door/door-page.ts';
import { proofOf } from '#tests/support/door/proof.ts';
import { ask, callOk } from '#tests/support/make.ts';
import { verdictOf } from '#tests/support/scripted-line.ts';
import type { TestServer } from '#tests/support/server.ts';

const sera = 'sera';

/** A hall with three tickets, one of them moved. */
async function openHall(server: TestServer) {
  const { ctx } = server.house;
  const places = ['A1', 'A2', 'A3', 'B1'].map((label) => ({ label, gate: null }));
  await addHall(ctx, { id: sera, places });
  await sellPlaces(ctx, sera, { places: ['A1', 'A2', 'A3'] });
  await moveTicket(ctx, sera, { from: 'A1', to: 'B1' });
  const codes = (await findEvent(ctx.db, sera))!;
  return {
    codes,
    code: (place: string) => codeOf(codes, { place, revision: 1, earlier_codes: 0 }),
  };
}

/** A phone whose numbers of the wire are so much higher than those of this release. */
async function openAhead(server: TestServer, ahead: { by: number }) {
  const wish = { name: 'Luca', gate: null, event_ids: [sera] };
  const token = await pairingToken(server.house.ctx, wish);
  const onTheWay = (address: string) =>
    address.replace(/(?<=wire=)\d+/, (number) => String(Number(number) + ahead.by));
  const phone = await openNodePhone(server, { now: server.clock.now, onTheWay });
  onTestFinished(() => phone[Symbol.dispose]());
  await phone.core.pair(token);
  return phone.core;
}

const read = (core: Awaited<ReturnType<typeof openAhead>>, code: string) =>
  verdictOf(core, code, { event_id: sera });

it('a phone of the next release goes on with this server in this release’s number', async (server) => {
  const { code } = await openHall(server);
  const core = await openAhead(server, { by: 1 });
  await core.syncOnce();
  expect([await read(core, code('A2')), await read(core, code('B1'))]).toEqual(['admit', 'admit']);
  await core.syncOnce();
  const rows = await server.house.ctx.db('admissions').select('place', 'counts', 'code_check');
  expect(rows.toSorted((a, b) => (a.place < b.place ? -1 : 1))).toEqual([
    { place: 'A2', counts: 1, code_check: 'proved' },
    { place: 'B1', counts: 1, code_check: 'proved' },
  ]);
  expect(await core.db.queue.where('fate').equals('queued').count()).toBe(0);
});

it('a phone two releases ahead keeps its list and its scans, says why, and hands all in when the server is updated', async (server) => {
  const { code } = await openHall(server);
  const ahead = { by: 0 };
  const core = await openAhead(server, ahead);
  await core.syncOnce();
  ahead.by = 2;
  expect(await read(core, code('A1'))).toBe('moved');
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'server_outdated' });
  const queued = () => core.db.queue.where('fate').equals('queued').count();
  expect([await queued(), await read(core, code('A2')), await queued()]).toEqual([1, 'admit', 2]);
  const { message } = errors.server_outdated;
  expect(message).toMatch(/letture partono da sole appena il server è aggiornato/);
  ahead.by = 0;
  await core.syncOnce();
  expect(await queued()).toBe(0);
  const rows = await server.house.ctx.db('admissions').where({ counts: 1 }).pluck('verdict');
  expect(rows.toSorted()).toEqual(['admit', 'moved']);
});

it('a phone of the release before gets the layout that it knows, whole and as changes, and its scans are taken', async (server) => {
  const { codes } = await openHall(server);
  const { ctx } = server.house;
  const { headers } = await pairBare(ctx, { name: 'Mara', event_ids: [sera] });
  type Listed = readonly { ticket: { moved_from: readonly unknown[] } | null }[];
  const ticketsIn = (places: Listed) => places.flatMap(({ ticket }) => ticket ?? []);
  const hasMoved = (places: Listed) =>
    ticketsIn(places).some(({ moved_from }) => moved_from.length > 0);
  const told: unknown[] = [];
  for (const wire of wires.map(String)) {
    const whole = await fetch(server.url + addressOf(pullList, { eventId: sera }, { wire }), {
      headers,
    });
    const { head, block } = readList(await whole.arrayBuffer());
    const image = openBlock(block);
    const listed = Array.from({ length: image.count }, (_, row) => placeOf(image, row));
    const since = `${head.cursor.split('.')[0]}.0`;
    const asked = { params: { eventId: sera }, query: { wire, since } };
    const changes = await callOk(server, pullChanges, asked, headers);
    // Whatever is told, this release reads it.
    expect(ticketsIn(readChanges(changes).places)).toHaveLength(3);
    // The answer from memory, when nothing has changed, is of the same number.
    const { body } = await ask(
      server,
      'GET',
      addressOf(pullChanges, { eventId: sera }, { wire, since: head.cursor }),
      { headers },
    );
    told.push([
      'moved_policy' in changes.event,
      'moved_policy' in (body as typeof changes).event,
      hasMoved(changes.places),
      hasMoved(listed),
    ]);
  }
  expect([previousWire, wireVersion]).toEqual(wires);
  expect(told).toEqual([
    [false, false, false, false],
    [true, true, true, true],
  ]);
  const now = new Date(server.clock.now()).toISOString();
  const scan = {
    admission_id: 'scan-of-before-0123456789',
    seq: 0,
    event_id: sera,
    place: 'A3',
    revision: 1,
    read: null,
    direction: 'in' as const,
    gate: null,
    verdict: 'admit' as const,
    counts: true,
    override: null,
    scanned_at: now,
    corrected_at: now,
    offline: false,
  };
  const items = [
    { ...scan, code_read: proofOf(codes, scan) },
    // A word of a later release is no reason to lose what happened.
    {
      ...scan,
      admission_id: 'scan-of-later-01234567890',
      seq: 1,
      verdict: 'parked',
      counts: false,
    },
  ];
  const sent = await callOk(server, sendAdmissions, { query: {}, body: { items } }, headers);
  expect(sent.results.map(({ result }) => result)).toEqual(['stored', 'stored']);
  // And once more, as a phone does that has not heard the answer.
  const again = await callOk(server, sendAdmissions, { query: {}, body: { items } }, headers);
  expect(again.results.map(({ result }) => result)).toEqual(['stored', 'stored']);
  // The answer to the older number was lost, and the server was updated in between.
  const newer = { ...scan, verdict: 'moved' as const, code_read: proofOf(codes, scan) };
  const { results } = await callOk(
    server,
    sendAdmissions,
    { query: { wire: '5' }, body: { items: [newer] } },
    headers,
  );
  expect(results[0]!.result).toBe('stored');
  const stored = await ctx.db('admissions').orderBy('seq').select('verdict', 'counts');
  expect(stored).toEqual([
    { verdict: 'admit', counts: 1 },
    { verdict: 'verify', counts: 0 },
  ]);
});

test('what a later release adds is left out, and a state that it adds is asked about', () => {
  const place = listedPlace(0);
  const page = doorPageOf({ places: [place, listedPlace(1)] });
  const [first] = page.places;
  const later = {
    ...page,
    crowd: 12,
    event: { ...page.event, verify_policy: 'lottery', doors: 3 },
    places: [
      {
        ...first,
        colour: 'red',
        ticket: { ...first!.ticket, state: 'exchanged', note: 'cambiato con sab 12' },
      },
    ],
  };
  const changes = readChanges(later);
  expect(changes.places[0]!.ticket).toMatchObject({ state: 'other', note: 'cambiato con sab 12' });
  expect(changes.event.verify_policy).toBe('ask');
  expect(v.is(v.object({ crowd: v.number() }), changes)).toBe(false);
  const { block } = readList(blockAnswerOf(page));
  const image = openBlock(block);
  image.state[0] = 200;
  const again = openBlock(image.bytes);
  expect([placeOf(again, 0).ticket!.state, placeOf(again, 1).ticket!.state]).toEqual([
    'other',
    'valid',
  ]);
});

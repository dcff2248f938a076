/** The phone on its worst lines: lists that are torn, a stream with gaps, a kill at any step, and the day it must forget everything. */
import { expect, test } from 'vitest';
import { CallError } from '#apps/shared/api.ts';
import { shownHouse } from '#apps/scanner/device/house.ts';
import type { Ports } from '#apps/scanner/kit/ports.ts';
import { readNews } from '#apps/scanner/sync/live.ts';
import type { DoorNews } from '#server/contract/door/admissions.ts';
import { codeAlphabet } from '#server/domain/door/ticket-code.ts';
import { until } from '#tests/support/make.ts';
import {
  blockAnswerOf,
  codeOfRow,
  doorPageOf,
  listedPlace,
  listedScan,
} from '#tests/support/door/door-page.ts';
import { lost, openPaired, scanText, scriptLine, verdictOf } from '#tests/support/scripted-line.ts';

const places = Array.from({ length: 90 }, (_, n) => listedPlace(n));

test('a list that comes as a block is used at once, lies on the disk, and is read again at the next start', async () => {
  const line = scriptLine(doorPageOf({ places, admissions: [listedScan(80)] }));
  const core = await openPaired(line);
  expect(line.asked.map(({ since }) => since)).toEqual([undefined, 'epoch.1']);
  expect(await core.db.events.get('serata')).toMatchObject({
    generation: expect.any(Number) as number,
    parts: 1,
    places: 90,
    tickets: 90,
    cursor: 'epoch.1',
  });
  expect([await verdictOf(core, codeOfRow(1)), await verdictOf(core, codeOfRow(80))]).toEqual([
    'admit',
    'already_in',
  ]);
  core.stop();
  line.failure = lost();
  const again = line.open();
  await again.ready();
  expect([
    await verdictOf(again, codeOfRow(2)),
    await verdictOf(again, codeOfRow(1)),
    again.search('serata', 'platea a 1')[0]?.seat,
  ]).toEqual(['admit', 'just_read', 'Platea, fila A, posto 1']);
});

test('what came while a block was made follows behind it; a list that is in use waits for it', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const news = doorPageOf({
    from: 'epoch.1',
    cursor: 'epoch.2',
    places: [listedPlace(3, { issued: 2 }), listedPlace(90)],
    admissions: [listedScan(4)],
  });
  let isLost = true;
  line.changes = ({ since }) => {
    if (since === 'epoch.1' && isLost) throw lost();
    return since === undefined
      ? line.list
      : since === 'epoch.1'
        ? news
        : doorPageOf({ from: since, cursor: since });
  };
  const core = line.open();
  await core.pair('pairing-token-of-the-office');
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'network' });
  expect(await verdictOf(core, codeOfRow(1))).toBe('admit');
  isLost = false;
  await core.syncOnce();
  const verdicts = async () => [
    await verdictOf(core, codeOfRow(3)),
    await verdictOf(core, codeOfRow(4)),
    await verdictOf(core, codeOfRow(90)),
  ];
  expect([await verdicts(), (await core.db.events.get('serata'))?.parts]).toEqual([
    ['replaced', 'already_in', 'admit'],
    2,
  ]);

  // The server begins anew: until all of it has come the list stays as it was.
  line.list = doorPageOf({ cursor: 'fresh.1', places: places.slice(0, 60) });
  line.changes = ({ since }) => {
    if (since === 'epoch.2') throw new CallError(409, 'resync_required', 'again');
    if (since === 'fresh.1' && isLost) throw lost();
    return since === undefined
      ? line.list
      : doorPageOf({
          from: since,
          cursor: 'fresh.2',
          places: since === 'fresh.1' ? places.slice(60) : [],
          admissions: [listedScan(61)],
        });
  };
  isLost = true;
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'network' });
  expect([
    (await core.db.events.get('serata'))?.places,
    await verdictOf(core, codeOfRow(70)),
  ]).toEqual([91, 'admit']);
  isLost = false;
  await core.syncOnce();
  expect(await core.db.events.get('serata')).toMatchObject({
    places: 90,
    parts: 2,
    cursor: 'fresh.2',
  });
  expect([await verdictOf(core, codeOfRow(61)), await verdictOf(core, codeOfRow(62))]).toEqual([
    'already_in',
    'admit',
  ]);
});

test('a block that is torn is none, and the list is asked for again', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const whole = new Uint8Array(blockAnswerOf(line.list));
  let answer = whole.slice(0, 3_000).buffer;
  const core = line.open({ callBytes: async () => answer });
  await core.pair('pairing-token-of-the-office');
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'unreadable' });
  // Where the columns begin: the first number of the head, and of the hashes.
  answer = whole.with(8, whole[8]! ^ 1).buffer;
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'unreadable' });
  answer = blockAnswerOf({ ...line.list, event: { ...line.list.event, salt: 7 as never } });
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'unreadable' });
  answer = new TextEncoder().encode('<!doctype html><title>Wi-Fi gratis</title>').buffer;
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'unreadable' });
  expect([(await core.db.events.get('serata'))?.generation, await core.db.parts.count()]).toEqual([
    0, 0,
  ]);
  answer = whole.buffer;
  await core.syncOnce();
  expect(await verdictOf(core, codeOfRow(1))).toBe('admit');
});

test('a list whose block was lost is none: it comes again', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  const { generation } = (await core.db.events.get('serata'))!;
  await core.db.parts.delete(['serata', generation, 0]);
  core.stop();
  const again = line.open();
  await again.ready();
  expect(await again.db.events.get('serata')).toMatchObject({ generation: 0, cursor: null });
  await again.syncOnce();
  expect(await verdictOf(again, codeOfRow(89))).toBe('admit');
});

test('differences are kept behind the list and read again at the next start; when they are many they become one part', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  let at = 1;
  line.changes = ({ since }) => {
    const n = at;
    at += 1;
    return doorPageOf({
      from: since!,
      cursor: `epoch.${at}`,
      places: n === 3 ? [listedPlace(3, { issued: 2 }), listedPlace(90)] : [],
      admissions: [listedScan(n)],
    });
  };
  for (let n = 0; n < 12; n += 1) await core.syncOnce();
  expect(await core.db.events.get('serata')).toMatchObject({
    parts: 13,
    cursor: 'epoch.13',
    places: 91,
    tickets: 91,
  });
  core.stop();
  line.changes = ({ since }) => doorPageOf({ from: since!, cursor: since! });
  let again = line.open();
  await again.ready();
  const verdicts = async () => {
    const seen = [];
    for (const [row, revision] of [
      [12, 1],
      [3, 1],
      [90, 1],
      [20, 1],
    ] as const)
      seen.push(
        (await again.lookUp('serata', await again.recognise('serata', codeOfRow(row, revision))))
          .verdict,
      );
    return seen;
  };
  expect(await verdicts()).toEqual(['already_in', 'replaced', 'admit', 'admit']);
  again.stop();

  const tidied = line.open({ mostParts: 12 });
  await tidied.syncOnce();
  expect([
    await tidied.db.parts.count(),
    (await tidied.db.events.get('serata'))!.parts,
    (await tidied.db.events.get('serata'))!.cursor,
  ]).toEqual([2, 13, 'epoch.13']);
  again = line.open();
  await again.ready();
  expect(await verdicts()).toEqual(['already_in', 'replaced', 'admit', 'admit']);
});

test('a message of the stream is taken only by whoever stands where it begins; after a gap the phone asks', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const news: DoorNews[] = [
    {
      event_id: 'serata',
      from: 'epoch.1',
      to: 'epoch.2',
      page: doorPageOf({ from: 'epoch.1', cursor: 'epoch.2', admissions: [listedScan(1)] }),
    },
    // Lost on the way: 2 to 3. This one must not be taken.
    {
      event_id: 'serata',
      from: 'epoch.3',
      to: 'epoch.4',
      page: doorPageOf({ from: 'epoch.3', cursor: 'epoch.4', admissions: [listedScan(3)] }),
    },
    { event_id: 'of-somebody-else', from: 'a', to: 'b' },
    // Said twice.
    {
      event_id: 'serata',
      from: 'epoch.1',
      to: 'epoch.2',
      page: doorPageOf({ from: 'epoch.1', cursor: 'epoch.2', admissions: [listedScan(1)] }),
    },
  ];
  const text = `: hello\n\n${news.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}`;
  line.stream = () =>
    new ReadableStream({
      start(controller) {
        // Cut where no message ends.
        for (let i = 0; i < text.length; i += 700)
          controller.enqueue(new TextEncoder().encode(text.slice(i, i + 700)));
      },
    });
  const core = await openPaired(line);
  line.changes = ({ since }) =>
    since === 'epoch.2'
      ? doorPageOf({ from: since, cursor: 'epoch.4', admissions: [listedScan(2), listedScan(3)] })
      : doorPageOf({ from: since!, cursor: since! });
  core.start();
  await until(async () => (await core.db.events.get('serata'))?.cursor === 'epoch.4');
  expect(core.status.read().live).toBe(true);
  expect([core.presence('serata').inside, await verdictOf(core, codeOfRow(2))]).toEqual([
    3,
    'already_in',
  ]);
  core.setNoNetwork(true);
  await until(() => Promise.resolve(!core.status.read().live));
  expect(core.status.read()).toMatchObject({ online: false, no_network: true });
  const asked = line.asked.length;
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'network' });
  expect((await scanText(core, codeOfRow(4))).offline).toBe(true);
  expect(line.asked).toHaveLength(asked);
});

test('the stream ends at anything that is not ours, and news in any cut are the same news', async () => {
  const streamOf = (pieces: string[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
  const read = async (pieces: string[]) => {
    const all: DoorNews[] = [];
    for await (const one of readNews(streamOf(pieces), {
      heard: () => {},
      signal: new AbortController().signal,
    }))
      all.push(one);
    return all;
  };
  const message = { event_id: 'e', from: 'a', to: 'b' };
  expect(
    await read([
      `data: ${JSON.stringify(message)}\r\n\r\n:\n\n`,
      `data: {"event_id":"e",\ndata: "from":"a","to":"b"}\n`,
      '\n',
    ]),
  ).toEqual([message, message]);
  for (const odd of ['data: <html>\n\n', 'data: {"event_id":1}\n\n', 'data: null\n\n'])
    await expect(read([odd]), odd).rejects.toThrow();
});

test('what lies on the disk of a phone tells nobody a seat, a name or a hash, and a block that was moved or changed does not open', async () => {
  const line = scriptLine(doorPageOf({ places, admissions: [listedScan(7)] }));
  const core = await openPaired(line);
  const parts = await core.db.parts.toArray();
  const bytes = Buffer.concat(parts.map(({ sealed }) => Buffer.from(sealed)));
  for (const secret of [
    'Platea',
    'Amico',
    'A7K2',
    Buffer.from(listedPlace(0).hashes[0]!, 'base64url'),
  ])
    expect(bytes.includes(secret)).toBe(false);
  expect(await core.readMeta('seal_key')).toMatchObject({ extractable: false });
  core.stop();
  const [part] = parts;
  const spoilt = [
    {
      ...part!,
      sealed: Uint8Array.from(Buffer.from(part!.sealed)).with(9, Buffer.from(part!.sealed)[9]! ^ 1)
        .buffer,
    },
    { ...part!, generation: 7 },
  ];
  for (const one of spoilt) {
    const other = line.open();
    await other.db.parts.put(one);
    const event = (await other.db.events.get('serata'))!;
    await other.db.events.put({ ...event, generation: one.generation });
    // A list that cannot be opened is none: it comes again, and what the phone has read stays.
    await other.ready();
    await expect(scanText(other, codeOfRow(1))).rejects.toThrow();
    expect(await other.db.events.get('serata')).toMatchObject({ generation: 0, cursor: null });
    await other.syncOnce();
    expect(await verdictOf(other, codeOfRow(7))).toBe('already_in');
    other.stop();
  }
});

test('a revoked phone forgets its tickets before anything else, hands in once what it had read, and keeps nothing', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  await scanText(core, codeOfRow(1));
  line.changes = () => {
    throw new CallError(401, 'phone_revoked', 'Questo telefono non è più autorizzato.');
  };
  await core.syncOnce();
  expect(line.sent).toHaveLength(1);
  expect([
    await core.db.events.count(),
    await core.db.parts.count(),
    await core.db.queue.count(),
    await core.readMeta('seal_key'),
    (await core.readMeta('device'))!.device_token,
  ]).toEqual([0, 0, 0, undefined, '']);
  expect([core.presence('serata').places, core.search('serata', 'platea')]).toEqual([0, []]);
  await expect(scanText(core, codeOfRow(2))).rejects.toThrow();
});

test('two days after the evening the list goes by the phone’s own clock, without a line, and what was not sent stays', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  await scanText(core, codeOfRow(1));
  line.failure = lost();
  line.clock.now += 48 * 3_600_000 + 1;
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'network' });
  expect([
    await core.db.events.count(),
    await core.db.parts.count(),
    await core.db.queue.count(),
    await core.readMeta('wiped'),
  ]).toEqual([0, 0, 1, ['serata']]);
});

test('an app that is too old for the list still hands in, and says that it must be updated', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  await scanText(core, codeOfRow(1));
  line.changes = () => {
    throw new CallError(426, 'update_required', 'Aggiorna l’app per continuare');
  };
  await expect(core.syncOnce()).rejects.toMatchObject({ code: 'update_required' });
  expect([
    core.status.read().update_required,
    line.sent.length,
    await verdictOf(core, codeOfRow(2)),
  ]).toEqual([true, 1, 'admit']);
  line.changes = ({ since }) => doorPageOf({ from: since!, cursor: since! });
  await core.syncOnce();
  expect(core.status.read().update_required).toBe(false);
});

test('a phone that becomes a steward’s forgets the names at once', async () => {
  const line = scriptLine(doorPageOf({ places }));
  line.role = 'supervisor';
  const core = await openPaired(line);
  expect(core.search('serata', 'amico 5')[0]).toMatchObject({
    name: 'Nicolò D’Amico 5',
    order_number: 'A7K2-1005',
  });
  await scanText(core, codeOfRow(1));
  line.role = 'steward';
  line.changes = ({ since }) => ({
    ...(since === undefined ? line.list : doorPageOf({ from: since, cursor: since })),
    server_time: new Date(line.clock.now).toISOString(),
  });
  line.list = doorPageOf({ places, names: false });
  line.clock.now += 60_000;
  await core.syncOnce();
  expect(core.search('serata', 'amico 5')).toEqual([]);
  await core.syncOnce();
  expect([core.search('serata', 'amico 5'), core.search('serata', 'galleria b 1')]).toMatchObject([
    [],
    [{ seat: listedPlace(1).seat, inside: true }],
  ]);
  expect(await verdictOf(core, codeOfRow(1))).toBe('already_in');
});

test('a gate that is chosen at the door counts at once and without a line, is told until it is taken, and gives way to what the office changes', async () => {
  const line = scriptLine(doorPageOf({ places }));
  let meanwhile = async () => {};
  const changes: Partial<Ports> = {
    call: (async (endpoint: { path: string }, ask: object, options: never) => {
      const answer = await line.call(endpoint, ask, options);
      if (endpoint.path.endsWith('/heartbeat')) await meanwhile();
      return answer;
    }) as never,
  };
  const paired = await openPaired(line, changes);
  line.failure = lost();
  await paired.chooseGate('Varco B');
  await scanText(paired, codeOfRow(1));
  paired.stop();

  const core = line.open(changes);
  await core.ready();
  const standing = async () => {
    const { gate, gate_choice } = (await core.readMeta('device'))!;
    return [gate, gate_choice];
  };
  const contact = async () => {
    line.clock.now += 60_000;
    await core.syncOnce();
    return line.beats.at(-1)!.gate_choice;
  };
  const choice = { gate: 'Varco B', over: 'Varco A' };
  expect(await standing()).toEqual(['Varco B', choice]);
  expect((await core.db.queue.toArray()).map(({ gate }) => gate)).toEqual(['Varco B']);
  line.failure = null;
  line.gate = 'Varco B';
  expect(await contact()).toEqual(choice);
  expect(await standing()).toEqual(['Varco B', undefined]);
  expect(await contact()).toBe(undefined);

  // The office has changed it since: its answer is not the choice.
  await core.chooseGate(null);
  line.gate = 'Varco C';
  expect(await contact()).toEqual({ gate: null, over: 'Varco B' });
  expect(await standing()).toEqual(['Varco C', undefined]);

  // What is chosen while the answer is on its way waits for the next contact.
  meanwhile = () => core.chooseGate('Varco A');
  expect(await contact()).toBe(undefined);
  meanwhile = async () => {};
  expect(await standing()).toEqual(['Varco A', { gate: 'Varco A', over: 'Varco C' }]);
  await core.chooseGate('Varco C');
  expect(await standing()).toEqual(['Varco C', undefined]);
});

test('the queue leaves as a file and as a chain of codes that hold the same scans', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const core = await openPaired(line);
  expect(await core.queueChain()).toEqual([]);
  for (let n = 0; n < 60; n += 1) await scanText(core, codeOfRow(n));
  const { name, blob } = await core.exportQueue();
  const file = JSON.parse(await blob.text()) as { phone_id: string; items: unknown[] };
  expect([name, file.phone_id, file.items.length]).toEqual([
    'ingressi-Luca-2026-11-22-20-00.json',
    'p1',
    60,
  ]);
  const chain = await core.queueChain();
  expect(chain.length).toBeGreaterThan(1);
  expect(chain.every((link) => link.length <= 1_200 && /^[0-9A-Z/]+$/.test(link))).toBe(true);
  const pieces = chain.toReversed().map((link) => /^BTG1\/(\d+)\/(\d+)\/(.*)$/.exec(link)!);
  expect(new Set(pieces.map(([, , of]) => of))).toEqual(new Set([String(chain.length)]));
  const letters = pieces
    .toSorted((a, b) => Number(a[1]) - Number(b[1]))
    .map(([, , , piece]) => piece)
    .join('');
  const bits = [...letters]
    .map((letter) => codeAlphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Uint8Array.from({ length: bits.length >> 3 }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2),
  );
  const read = await new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')),
  ).json();
  expect(read).toEqual(file);
});

test('whose door it is comes with the pairing and each contact, and stays without a line', async () => {
  const line = scriptLine(doorPageOf({ places }));
  const accent = { light: '#6b3fa0', dark: '#b794f0' };
  line.house = { name: 'Teatro Goldoni', logo: '/media/logo-uno', accent };
  const pictures: string[] = [];
  let isPictureLost = true;
  const changes: Partial<Ports> = {
    async readPicture(address) {
      pictures.push(address);
      if (isPictureLost) throw lost();
      return `data:image/webp;base64,${btoa(address)}`;
    },
  };
  const core = line.open(changes);
  const shown = () => shownHouse(core.db);
  expect(await shown()).toBeNull();
  await core.pair('pairing-token-of-the-office');
  expect(await shown()).toEqual({ name: 'Teatro Goldoni', logo: null, accent });

  // The picture is asked for again at the next contact, then no more.
  isPictureLost = false;
  await core.syncOnce();
  await until(async () => (await shown())?.logo != null);
  line.clock.now += 60_000;
  await core.syncOnce();
  expect(pictures).toEqual(Array(2).fill('/media/logo-uno/320.webp'));
  core.stop();

  line.failure = lost();
  const again = line.open(changes);
  await again.ready();
  expect(await shownHouse(again.db)).toEqual({
    name: 'Teatro Goldoni',
    logo: `data:image/webp;base64,${btoa('/media/logo-uno/320.webp')}`,
    accent,
  });

  // Another logo: the old one is not shown under the new name.
  line.failure = null;
  isPictureLost = true;
  line.house = { name: 'Teatro Nuovo', logo: '/media/logo-due', accent: null };
  line.clock.now += 60_000;
  await again.syncOnce();
  expect(await shownHouse(again.db)).toEqual({ name: 'Teatro Nuovo', logo: null, accent: null });
});

/** The eye's pure parts: which sighting is new, what cameras are called, what a keyboard reader's burst says. */
import { expect, test } from 'vitest';
import { nameCameras } from '#apps/scanner/camera/cameras.ts';
import { makeViewFilter } from '#apps/scanner/camera/view-filter.ts';
import { makeBurstReader, silence, splitCode } from '#apps/scanner/camera/keyboard-reader.ts';
import { groupCode, readTicketCode, writeTicketCode } from '#server/domain/door/ticket-code.ts';

const code = writeTicketCode(
  '7K2Q',
  Uint8Array.from({ length: 16 }, (_, n) => n * 17),
);

const [ticket, other] = ['7K2Q', '7K2R'].map((tag) => writeTicketCode(tag, new Uint8Array(16))) as [
  string,
  string,
];

/** The camera's frames: each is a time and the codes in it, the nearest to the middle first. */
function watch(
  { look, isNew } = makeViewFilter(),
): (now: number, texts?: readonly string[], mode?: string) => boolean {
  return (now, texts = [], mode = '') => {
    look(texts, now);
    return texts[0] !== undefined && isNew(texts[0], mode);
  };
}

/** The times at which a film of one frame every 33 ms tells a new scan. */
function tell(lasts: number, textsAt: (now: number) => readonly string[]): number[] {
  const see = watch();
  const times = Array.from({ length: Math.ceil(lasts / 33) }, (_, n) => n * 33);
  return times.filter((now) => see(now, textsAt(now)));
}

test('a code that stays in view is one scan, however long and with frames in which it was not read', () => {
  expect(tell(60_000, () => [ticket])).toEqual([0]);
  // Read for a moment, then missed for 660 ms, again and again.
  expect(tell(60_000, (now) => (now % 693 === 0 ? [ticket] : []))).toEqual([0]);
});

test('a code that was out of view for 0.7 seconds and comes back is a scan, also with another code in between', () => {
  const awayUntil = (back: number, between: readonly string[]) =>
    tell(6_000, (now) => (now <= 990 || now >= back ? [ticket] : between));
  expect(awayUntil(1_683, [])).toEqual([0]);
  expect(awayUntil(1_716, [])).toEqual([0, 1_716]);
  expect(awayUntil(1_716, [other])).toEqual([0, 1_023, 1_716]);
  // The second guest does not wait until the first one has been gone for long.
  expect(tell(9_900, (now) => (now % 1_980 < 990 ? [ticket] : []))).toEqual([
    0, 1_980, 3_960, 5_940, 7_920,
  ]);
});

test('while the phone is busy no frame is read, and the code in view has not left; a camera that starts anew or stood still knows nothing', () => {
  const filter = makeViewFilter();
  const see = watch(filter);
  expect(see(0, [ticket])).toBe(true);
  expect(see(3_000, [ticket])).toBe(false);
  // Three long tasks, and in each frame between them the code was blurred.
  expect([4_000, 5_500, 7_000].map((now) => see(now))).toEqual([false, false, false]);
  expect(see(7_033, [ticket])).toBe(false);
  expect(see(12_100, [ticket])).toBe(true);
  filter.forgetAll();
  expect(see(12_133, [ticket])).toBe(true);
});

test('two tickets side by side, read in turn or together, are two scans', () => {
  expect(tell(4_950, (now) => [now % 66 === 0 ? ticket : other])).toEqual([0, 33]);
  // The nearer one is told, and the other one has not left.
  expect(
    tell(6_000, (now) =>
      now < 990 ? [other, ticket] : now < 4_950 ? [ticket, other] : [other, ticket],
    ),
  ).toEqual([0, 990]);
});

test('a code of which nothing has come is new at its next sighting, though it was never out of sight; others stay known', () => {
  const filter = makeViewFilter();
  const see = watch(filter);
  expect([ticket, other, ticket].map((text, n) => see(n * 100, [text]))).toEqual([
    true,
    true,
    false,
  ]);
  filter.forget(ticket);
  expect([ticket, other, ticket].map((text, n) => see(300 + n * 100, [text]))).toEqual([
    true,
    false,
    false,
  ]);
});

test('in the other direction a code that is still in view is new', () => {
  const filter = makeViewFilter();
  const see = watch(filter);
  expect(['in', 'out', 'in'].map((mode, n) => see(n * 100, [ticket], mode))).toEqual([
    true,
    true,
    false,
  ]);
  filter.forget(ticket, 'out');
  expect(['in', 'out'].map((mode, n) => see(300 + n * 100, [ticket], mode))).toEqual([false, true]);
});

test('a text that is no code of ours is told at its second sighting and then once; one sighting is never told', () => {
  expect(tell(4_950, (now) => (now < 990 || now >= 1_980 ? ['812'] : []))).toEqual([33, 2_013]);
  // Hard to read, it is told all the same; too seldom read, it is not.
  expect(tell(4_950, (now) => (now % 1_980 === 0 ? ['812'] : []))).toEqual([1_980]);
  expect(tell(9_900, (now) => (now % 2_640 === 0 ? ['812'] : []))).toEqual([]);
});

test('what was seen once where a ticket is read after all was the ticket, and is not told later', () => {
  const see = watch();
  expect(['812', ticket, '812', ticket].map((text, n) => see(n * 40, [text]))).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(see(160, ['4711'])).toBe(false);
});

test('a code that a reader typed behind a sentence is told from the sentence, and a sentence is never a code', () => {
  expect(splitCode(`Ha pagato ${code}`)).toEqual({ before: 'Ha pagato ', code });
  // The reader was quicker than the space.
  expect(splitCode(`Ha pagato${code.toLowerCase()}`)).toEqual({
    before: 'Ha pagato',
    code: code.toLowerCase(),
  });
  expect(splitCode(groupCode(code))?.before).toBe('');
  expect(splitCode(`]Q1${code}`)?.before).toBe('');
  // The same letters with blanks between them are words.
  expect(splitCode([...code].join(' '))).toBeNull();
  for (const sentence of [
    '',
    'Documento e acquisto controllati',
    code.slice(1),
    `${code} ha pagato`,
  ])
    expect([sentence, splitCode(sentence)]).toEqual([sentence, null]);
});

test('cameras are named by the side they look to, in Italian, and numbered where there are two', () => {
  const names = (labels: string[]) =>
    nameCameras(labels.map((label, n) => ({ deviceId: String(n), label }))).map(
      ({ label }) => label,
    );
  expect(
    names(['camera2 1, facing front', 'camera2 0, facing back', 'camera2 2, facing back']),
  ).toEqual(['Anteriore', 'Posteriore 1', 'Posteriore 2']);
  expect(names(['Fotocamera posteriore', 'Fotocamera anteriore'])).toEqual([
    'Posteriore',
    'Anteriore',
  ]);
  expect(names(['', 'USB 2.0 HD'])).toEqual(['Fotocamera 1', 'USB 2.0 HD']);
});

/** What a reader types: the characters, each at its place on a keyboard set to `layout`. */
function type(
  text: string,
  {
    gap = 5,
    end = 'Enter',
    layout = {},
  }: { gap?: number; end?: string; layout?: Record<string, string> } = {},
): string | null {
  const read = makeBurstReader();
  [...text].forEach((character, n) => {
    const place = /[0-9]/.test(character)
      ? `Digit${character}`
      : character === '\\'
        ? 'Backslash'
        : character === ']'
          ? 'BracketRight'
          : `Key${character.toUpperCase()}`;
    if (read({ key: layout[character] ?? character, code: place, at: n * gap }) !== null)
      throw new Error('too early');
  });
  return read({ key: end, at: text.length * gap });
}

test('a reader types in a burst; a person does not', () => {
  expect(type('EV01ABCDEFGH')).toBe('EV01ABCDEFGH');
  expect(type('EV01ABCDEFGH', { gap: 120 })).toBeNull();
  expect(type('ABC')).toBeNull();
  const read = makeBurstReader();
  for (const key of ['Shift', 'Enter', 'Tab', silence]) expect(read({ key, at: 0 })).toBeNull();
});

test('a burst may end with Enter, with Tab or with nothing, and shift keys between the letters are not part of it', () => {
  for (const end of ['Enter', 'Tab', silence]) expect(type(code, { end })).toBe(code);
  expect(type(code.slice(0, -1), { end: silence })).toBeNull();
  const read = makeBurstReader();
  for (const [n, key] of [...code].entries()) {
    read({ key: 'Shift', at: n * 10 });
    read({ key, at: n * 10 + 1 });
  }
  expect(read({ key: 'Enter', at: 400 })).toBe(code);
});

test('a burst begins anew after silence: half a code of before is not put in front', () => {
  const read = makeBurstReader();
  for (const [n, key] of [...'HALFACODE'].entries()) read({ key, at: n * 5 });
  for (const [n, key] of [...code].entries()) read({ key, at: 1_000 + n * 5 });
  expect(read({ key: 'Enter', at: 1_200 })).toBe(code);
});

test('what readers put in front of a code or between its characters does not matter', () => {
  for (const front of [']Q1', ']Q3', '\\000026', ']Q2\\000026', '\u001d', '\u0002', ' ']) {
    expect(readTicketCode(`${front}${code}`)?.code, JSON.stringify(front)).toBe(code);
    expect(
      readTicketCode(`${front}${code.toLowerCase()}\u0003\r\n`)?.code,
      JSON.stringify(front),
    ).toBe(code);
  }
  expect(readTicketCode(type(`]Q1${groupCode(code)}`)!)?.code).toBe(code);
  // A code of ours has exactly its length: what only contains one is something else.
  expect(readTicketCode(`Q1${code}`)).toBeNull();
  expect(readTicketCode(`${code}${code}`)).toBeNull();
});

test('a reader set to another keyboard than the phone’s is understood by the places of its keys', () => {
  // An American reader on a French phone: digits come as signs, A as Q.
  const french = {
    0: 'à',
    1: '&',
    2: 'é',
    3: '"',
    4: "'",
    5: '(',
    6: '-',
    7: 'è',
    8: '_',
    9: 'ç',
    A: 'q',
    Q: 'a',
    Z: 'w',
    W: 'z',
    M: ';',
  };
  expect(type(code, { layout: french })).toBe(code);
  // On an Italian one the letters are right, and only the backslash of the prefix differs.
  expect(readTicketCode(type(`\\000026${code}`, { layout: { '\\': 'ù' } })!)?.code).toBe(code);
  // A German reader on a German phone types what it means: the places alone would be wrong.
  const read = makeBurstReader();
  const german = writeTicketCode('YZ2Q', new Uint8Array(16));
  const places: Record<string, string> = { Y: 'KeyZ', Z: 'KeyY' };
  for (const [n, key] of [...german].entries())
    read({
      key,
      code: places[key] ?? (/[0-9]/.test(key) ? `Digit${key}` : `Key${key}`),
      at: n * 5,
    });
  expect(read({ key: 'Enter', at: 200 })).toBe(german);
});

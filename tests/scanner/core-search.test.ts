/** What "Cerca" finds first: the seat that was named, the box as one, sold places before others; guests by their buyer's name where the office allows it. */
import { expect, test } from 'vitest';
import type { FoundBox } from '#apps/scanner/list/search.ts';
import type { ListedPlace, ListedTicket } from '#server/domain/door/door-list.ts';
import { doorPageOf, listedPlace, listedScan } from '#tests/support/door/door-page.ts';
import { openPaired, scriptLine } from '#tests/support/scripted-line.ts';

/** A place of its own name; `n` gives it its codes. */
function placeNamed(
  n: number,
  seat: string,
  ticket: Partial<ListedTicket> | null = {},
): ListedPlace {
  const section = seat.split(', ')[0]!;
  return { ...listedPlace(n, { ticket }), place: seat, seat, section, category: section };
}

/** Boxes of four and rows of twenty, of whose places one of three is unsold. */
function opera(): ListedPlace[] {
  const seats = [
    ...Array.from({ length: 36 }, (_, box) =>
      Array.from({ length: 4 }, (__, n) => `Palchi I ordine, Palco ${box + 1}, posto ${n + 1}`),
    ).flat(),
    ...[...'ABCDEF'].flatMap((row) =>
      Array.from({ length: 20 }, (_, n) => `Platea, fila ${row}, posto ${n + 1}`),
    ),
    ...Array.from({ length: 10 }, (_, n) => `Tavolo 4, posto ${n + 1} di 10`),
    ...Array.from({ length: 80 }, () => 'Loggione, posto unico'),
  ];
  return seats.map((seat, n) => ({
    ...placeNamed(n, seat, n % 3 === 0 ? null : { state: n % 7 === 0 ? 'void' : 'valid' }),
    place: `${seat}#${n}`,
  }));
}

async function openAt(places: ListedPlace[], changed: ListedPlace[] = []) {
  const line = scriptLine(
    doorPageOf({ places, admissions: [{ ...listedScan(10), place: places[10]!.place }] }),
  );
  line.role = 'supervisor';
  const core = await openPaired(line);
  line.changes = ({ since }) => doorPageOf({ from: since!, cursor: 'epoch.2', places: changed });
  if (changed.length > 0) await core.syncOnce();
  return core;
}

for (const when of ['in the list', 'changed since'] as const)
  test(`a box is found as one by its name, the very seat before others, sold places before unsold (${when})`, async () => {
    const places = opera();
    const core = await openAt(places, when === 'in the list' ? [] : places);
    const found = (text: string) => core.search('serata', text);
    const names = (text: string) => found(text).map(({ seat }) => seat);

    const [box, ...prefixed] = found('palco 3') as FoundBox[];
    expect(box!.seat).toBe('Palchi I ordine, Palco 3');
    expect(
      box!.seats.map(({ seat, ticket, inside }) => [seat.slice(-1), ticket?.state, inside]),
    ).toEqual([
      ['1', 'valid', false],
      ['3', 'valid', true],
      ['4', 'valid', false],
      ['2', undefined, false],
    ]);
    expect(prefixed.map(({ seat }) => seat)).toEqual(
      [30, 31, 32, 33, 34, 35, 36].map((n) => `Palchi I ordine, Palco ${n}`),
    );
    expect(names('palco 30')).toEqual(['Palchi I ordine, Palco 30']);
    expect(names('3 palco')[0]).toBe('Palchi I ordine, Palco 3');

    expect(names('palco 3 2')[0]).toBe('Palchi I ordine, Palco 3, posto 2');
    expect(names('palco 3 posto 3')[0]).toBe('Palchi I ordine, Palco 3, posto 3');
    expect(names('palco 3 3')[0]).toBe('Palchi I ordine, Palco 3, posto 3');
    expect(names('platea f 12')[0]).toBe('Platea, fila F, posto 12');
    expect(names('fila f 2')[0]).toBe('Platea, fila F, posto 2');
    expect(names('plat f1')[0]).toBe('Platea, fila F, posto 1');
    expect(names('tavolo 4')).toEqual(['Tavolo 4']);
    expect(names('tavolo 4 10')[0]).toBe('Tavolo 4, posto 10 di 10');

    // Neither a row nor a part of the hall is a box; what is sold comes first, then what has ended.
    const states = (text: string) =>
      found(text).map((one) => ('ticket' in one ? (one.ticket?.state ?? 'none') : one.seat));
    expect(new Set(states('loggione')).has('none')).toBe(false);
    const row = states('platea f').slice(0, 20);
    expect(row).toEqual(
      row.toSorted(
        (a, b) => ['valid', 'void', 'none'].indexOf(a) - ['valid', 'void', 'none'].indexOf(b),
      ),
    );
    expect(row.filter((state) => state === 'none')).toHaveLength(6);
    core.stop();
  });

/**
 * The report on the hall: how full it is by category, seat by seat and by event, and which seats
 * were not sold lately.
 */
import { hallPlaces, keptBack, seatsNeverSold } from '#db/report/hall.ts';
import { comparedFigure, type Keyed, type Measure } from '#server/domain/report/compared.ts';
import type { Cell, Figure } from '#server/domain/report/figure.ts';
import {
  seatStates,
  seatWords,
  stateOfPlace,
  type SeatState,
} from '#server/domain/report/hall-count.ts';
import type { ReportEvent } from '#db/report/events.ts';
import type { Ctx } from '#server/services/context.ts';
import type { Counts } from './counts.ts';
import { nameOf, type Scope } from './scope.ts';
import { isByNumber } from '#server/domain/seat/whole.ts';

/** How many of a show's last dates are read to find seats that stay empty. */
const mostDates = 10;

export async function hallFigures(ctx: Ctx, scope: Scope, counts: Counts): Promise<Figure[]> {
  const [event] = scope.events;
  const never = await neverSold(ctx, scope);
  if (scope.kind === 'event' && event !== undefined)
    return [...(await figuresOfEvent(ctx, scope, event)), ...never];
  const filled = await fillingOf(ctx, scope.events, counts);
  const byCategory = new Map<string, Filling>();
  const byEvent = new Map<string, Filling>();
  for (const { event: one, category, filling } of filled) {
    add(byCategory, category, filling);
    add(byEvent, nameOf(one), filling);
  }
  const name = (one: [string, Filling], other: [string, Filling]) =>
    one[0].localeCompare(other[0], 'it');
  const all = [...byEvent.values()].reduce(plus, empty);
  return [
    sumsFigure(all, null),
    comparedFigure(categories, [...byCategory].toSorted(name).map(rowOf), null),
    comparedFigure(events, [...byEvent].map(rowOf), null),
    ...never,
  ];
}

type Filling = Record<SeatState | 'places', number>;
const empty: Filling = { places: 0, sold: 0, gift: 0, waiting: 0, blocked: 0, left: 0 };

function plus(one: Filling, other: Filling): Filling {
  return {
    places: one.places + other.places,
    sold: one.sold + other.sold,
    gift: one.gift + other.gift,
    waiting: one.waiting + other.waiting,
    blocked: one.blocked + other.blocked,
    left: one.left + other.left,
  };
}

function add(map: Map<string, Filling>, key: string, filling: Filling): void {
  map.set(key, plus(map.get(key) ?? empty, filling));
}

function percentOf({ sold, gift, places }: Filling): number | null {
  return places === 0 ? null : Math.round(((sold + gift) / places) * 1_000) / 10;
}

function rowOf([name, filling]: readonly [string, Filling]): Keyed[number] {
  const counted = [filling.places, ...seatStates.map((state) => filling[state])];
  return [name, [...counted, percentOf(filling)]];
}

const measures: Measure[] = [
  { key: 'places', label: 'Posti', unit: 'count', add: true },
  { key: 'sold', label: 'Venduti', unit: 'count', add: true },
  { key: 'gift', label: 'Gratuiti', unit: 'count', add: true },
  { key: 'waiting', label: 'In attesa', unit: 'count', add: true },
  { key: 'blocked', label: 'Bloccati', unit: 'count', add: true },
  { key: 'left', label: 'Liberi', unit: 'count', add: true },
  { key: 'percent', label: 'Occupazione', unit: 'percent' },
];
const text = (key: string, label: string) => ({ key, label, unit: 'text' }) as const;
const categories = {
  id: 'by_category',
  title: 'Occupazione per categoria',
  note: 'Gratuiti: omaggi e biglietti che costano zero. In attesa: qualcuno sta pagando, o ha prenotato.',
  shape: 'stacked',
  along: text('category', 'Categoria'),
  measures,
} as const;
const events = {
  id: 'by_event',
  title: 'Occupazione per data',
  note: null,
  shape: 'table',
  along: text('event', 'Evento'),
  measures,
} as const;

function sumsFigure(own: Filling, other: { name: string; filling: Filling } | null): Figure {
  const { columns, rows, ...figure } = comparedFigure(
    { id: 'sums', title: 'In breve', shape: 'numbers', along: text('of', 'Di che cosa'), measures },
    [rowOf(['', own])],
    other && { name: other.name, rows: [rowOf(['', other.filling])] },
  );
  return {
    ...figure,
    columns: columns.slice(1),
    rows: rows.map((row) => row.slice(1)),
    total: null,
  };
}

async function figuresOfEvent(ctx: Ctx, scope: Scope, event: ReportEvent): Promise<Figure[]> {
  const own = await fillingOfEvent(ctx, event);
  const other = scope.against && {
    name: nameOf(scope.against),
    ...(await fillingOfEvent(ctx, scope.against)),
  };
  return [
    sumsFigure(own.all, other && { name: other.name, filling: other.all }),
    comparedFigure(categories, own.rows, other && { name: other.name, rows: other.rows }),
    mapFigure(own.places),
  ];
}

type Places = Awaited<ReturnType<typeof hallPlaces>>;

/** The filling of a single event, with the places that wait for a payment. */
async function fillingOfEvent(ctx: Ctx, { id }: ReportEvent) {
  const places = await hallPlaces(ctx.db, id);
  const byCategory = new Map<string, Filling>();
  for (const place of places)
    add(byCategory, place.category, { ...empty, places: 1, [stateOfPlace(place)]: 1 });
  for (const { category, places: kept } of await keptInAreas(ctx, id, places))
    add(byCategory, category, { ...empty, blocked: kept, left: -kept });
  const rows = [...byCategory].toSorted(([one], [two]) => one.localeCompare(two, 'it')).map(rowOf);
  return { places, rows, all: [...byCategory.values()].reduce(plus, empty) };
}

/** Blocked places of standing areas by category; the database has only their number. */
async function keptInAreas(ctx: Ctx, id: string, places: Places) {
  const seats = Map.groupBy(
    places.filter((place) => place.blocked !== null),
    ({ category }) => category,
  );
  const kept = new Map<string, number>();
  for (const row of await keptBack(ctx.db, [id]))
    kept.set(row.category, (kept.get(row.category) ?? 0) + Number(row.places));
  return [...kept]
    .map(([category, n]) => ({ category, places: n - (seats.get(category)?.length ?? 0) }))
    .filter(({ places: n }) => n > 0);
}

/** The map of the hall, seat by seat and table by table, without standing places. */
function mapFigure(places: Places): Figure {
  const named = places.filter((place) => !isByNumber(place));
  const objects = [...Map.groupBy(named, ({ object_label }) => object_label)].toSorted(
    ([one], [other]) => one.localeCompare(other, 'it', { numeric: true }),
  );
  return {
    id: 'map',
    title: 'La sala posto per posto',
    note: 'Il prezzo è quello che è stato pagato, prevendita compresa. I posti in piedi non sono sulla mappa.',
    shape: 'hall',
    columns: [
      text('seat', 'Posto'),
      text('state', 'Stato'),
      { key: 'price', label: 'Prezzo', unit: 'cents' },
      text('category', 'Categoria'),
    ],
    rows: objects.map(([label, own]): Cell[] => {
      const states = own.map(stateOfPlace);
      const state = seatStates.find((one) => states.includes(one)) ?? 'left';
      const paid = own.filter((_, at) => states[at] === 'sold' || states[at] === 'gift');
      const price = paid.reduce((sum, { price_cents }) => sum + (price_cents ?? 0), 0);
      const isPaid = paid.length > 0;
      return [label, seatWords[state], isPaid ? price : null, own[0]?.category ?? ''];
    }),
    total: null,
  };
}

/** The filling of several events; places that wait for a payment count as left. */
async function fillingOf(ctx: Ctx, all: readonly ReportEvent[], counts: Counts) {
  const kept = new Map<string, number>();
  for (const { event_id, category, places } of await keptBack(
    ctx.db,
    all.map(({ id }) => id),
  )) {
    const key = JSON.stringify([event_id, category]);
    kept.set(key, (kept.get(key) ?? 0) + Number(places));
  }
  return (await counts.of('hall', all)).flatMap(({ event, count }) =>
    count.categories.map((row) => {
      const [word, places, sold, gift] = row as [number, number, number, number];
      const category = count.words[word] ?? '';
      const blocked = kept.get(JSON.stringify([event.id, category])) ?? 0;
      const left = places - sold - gift - blocked;
      return { event, category, filling: { places, sold, gift, waiting: 0, blocked, left } };
    }),
  );
}

async function neverSold(ctx: Ctx, { kind, events: own, earlier }: Scope): Promise<Figure[]> {
  const past = [...own, ...earlier]
    .filter(({ starts_at }) => starts_at <= ctx.now())
    .toSorted((one, other) => one.starts_at - other.starts_at)
    .slice(-mostDates);
  if ((kind !== 'event' && kind !== 'show') || past.length === 0) return [];
  const seats = await seatsNeverSold(
    ctx.db,
    past.map(({ id }) => id),
  );
  return [
    {
      id: 'never_sold',
      title: 'Posti mai venduti',
      note:
        past.length === 1
          ? 'Nell’unica data già passata dello spettacolo.'
          : `Nelle ultime ${past.length} date dello spettacolo.`,
      shape: 'hall',
      columns: [text('seat', 'Posto'), text('category', 'Categoria')],
      rows: seats
        .map(({ object_label, category }): Cell[] => [object_label, category])
        .toSorted(([one], [other]) =>
          String(one).localeCompare(String(other), 'it', { numeric: true }),
        ),
      total: null,
    },
  ];
}

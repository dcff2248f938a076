/**
 * A club in tests: forty tables of ten that are sold whole, two that are sold by the chair, two
 * booths, and a terrace that is drawn to be sold whole to five guests or more.
 */
import { callOk, makeAdmin } from './make.ts';
import { inDays, nameSeller, type Desk, type Form, type Office } from './event-desk.ts';
import { importDrawing } from '#server/contract/charts.ts';
import { createEvent, publishEvent } from '#server/contract/event-desk.ts';
import { emptyForm } from '#server/domain/event/event.ts';
import type { TestServer } from './server.ts';

export const club = 'festa';
const [tables, booths, terrace] = [1, 2, 3];
export const seatsOfClub = 40 * 10 + 2 * 4 + 2 * 6 + 30;

const seat = (x: number, y: number, label: number) => ({
  uuid: `${x}-${y}-${label}`,
  x,
  y,
  label: String(label),
  categoryKey: tables,
});

function table(at: number) {
  const [x, y] = [100 + (at % 8) * 120, 200 + Math.floor(at / 8) * 120];
  const isWhole = at < 40;
  return {
    uuid: `t${at}`,
    label: isWhole ? `T${at + 1}` : `C${at - 39}`,
    type: 'round',
    center: { x, y },
    radius: 30,
    autoRadius: false,
    rotationAngle: 0,
    openSpaces: 0,
    bookAsAWhole: isWhole,
    seats: Array.from({ length: isWhole ? 10 : 4 }, (_, chair) => seat(x + chair, y, chair + 1)),
  };
}

const drawing = {
  name: 'Club',
  version: 18,
  venueType: 'SIMPLE',
  categories: {
    list: [
      { key: tables, label: 'Tavoli', color: '#4f8ef7', accessible: false },
      { key: booths, label: 'Séparé', color: '#a36bc9', accessible: false },
      { key: terrace, label: 'Terrazza', color: '#2fb5a0', accessible: false },
    ],
    maxCategoryKey: 3,
  },
  zones: { list: [] },
  subChart: {
    width: 1_200,
    height: 1_000,
    focalPoint: { x: 500, y: 50 },
    rows: [],
    tables: Array.from({ length: 42 }, (_, at) => table(at)),
    booths: [1, 2].map((at) => ({
      uuid: `s${at}`,
      label: `S${at}`,
      categoryKey: booths,
      center: { x: 1_100, y: 100 * at },
      width: 80,
      height: 60,
      rotationAngle: 0,
    })),
    generalAdmissionAreas: [
      {
        uuid: 'a1',
        label: 'Terrazza',
        capacity: 30,
        categoryKey: terrace,
        type: 'circle',
        center: { x: 1_100, y: 700 },
        radius1: 80,
        radius2: 80,
        rotationAngle: 0,
        bookAsAWhole: true,
        variableOccupancy: true,
        minOccupancy: 5,
        labelSize: 20,
        labelShown: true,
      },
    ],
    sections: [],
    shapes: [],
    texts: [],
    icons: [],
    imageObjects: [],
    backgroundImage: null,
    snapOffset: { x: 0, y: 0 },
  },
};

/** A table is 30 euros a place and paid for six at least; a booth 100.01 euros whole. */
export const clubTerms: Form['whole_terms'] = {
  tables: { mode: 'INHERIT' },
  categories: {
    [tables]: { minimum: 6 },
    [booths]: { places: 6, minimum: 3, price_per: 'object' },
  },
};

/** Draws the club under a key of its own; `seats`: how many chairs its n-th table has. */
export async function drawClub(
  server: { url: string },
  office: Office,
  { key, seats }: { key: string; seats: (at: number) => number },
): Promise<void> {
  const tables = drawing.subChart.tables.map((one, at) => ({
    ...one,
    seats: one.seats.slice(0, seats(at)),
  }));
  const changed = { ...drawing, name: key, subChart: { ...drawing.subChart, tables } };
  await callOk(server, importDrawing, { body: { drawing: changed as never, key } }, office);
}

/** The club's evening on sale; `as`: who makes it, if the house has an administrator. */
export async function openClub(
  server: TestServer,
  changes: Partial<Form> = {},
  as?: Office,
): Promise<{ office: Office; desk: Desk }> {
  const office = as ?? (await makeAdmin(server));
  const price = (product: string, unit_amount: number) =>
    server.house.ctx.payments.ensurePrice({ lookup_key: product, product, unit_amount });
  const sold: Record<string, string> = {};
  for (const [category, cents] of [
    ['Tavoli', 3_000],
    ['Séparé', 10_001],
    ['Terrazza', 1_000],
  ] as const)
    sold[category] = await price(`${category} intero`, cents);
  const starts_at = inDays(server, 40);
  return { office, desk: await publishClub(server, office, { sold, starts_at, ...changes }) };
}

/** `sold`: the price of each category. */
export async function publishClub(
  server: { url: string },
  office: Office,
  { sold, ...changes }: Partial<Form> & { sold: Record<string, string>; starts_at: string },
): Promise<Desk> {
  await drawClub(server, office, { key: 'club', seats: () => 10 });
  await nameSeller(server, office);
  const body = {
    ...emptyForm,
    id: club,
    title: 'La festa',
    venue_title: 'Il club',
    chart_key: 'club',
    seat_pricing: Object.entries(sold).map(([category, price_id]) => ({
      category,
      ticketTypes: [{ price_id, ticketType: 'intero', label: 'Intero' }],
    })),
    whole_terms: clubTerms,
    ...changes,
  };
  const { version } = await callOk(server, createEvent, { body }, office);
  const params = { eventId: club };
  return callOk(server, publishEvent, { params, body: { version } }, office);
}

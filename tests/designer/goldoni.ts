/** The Teatro Goldoni, redrawn from its picture by hands and keys: all of it, or some parts. */
import type { Browser } from 'playwright';
import { expect } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { openDrawing } from '#server/drawing/model/open.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import { svgOf } from '#server/drawing/port/svg/write.ts';
import { Hands, type At } from './hands.ts';
import { openWorkshop } from './studio.ts';

/** What a tracing eye sees: the middle of the hall, where its half circle begins, the rows of the platea on circles far behind the stage. */
const CENTRE: At = { x: 480, y: 520 };
const PLATEA = { eye: { x: 480, y: -760 }, first: 992, pitch: 33, seat: 24 };
const GALLERIA = { first: 452, pitch: 27, seat: 22.5, half: 18 };

/** How far round the gallery goes, in radians to each side. */
const HALF = 1.05;

/** Radians to the right of straight away from the stage. */
function onCircle(centre: At, radius: number, angle: number): At {
  return { x: centre.x + radius * Math.sin(angle), y: centre.y + radius * Math.cos(angle) };
}

const between = (from: number, to: number, count: number) =>
  Array.from({ length: count + 1 }, (_, step) => from + ((to - from) * step) / count);

/** In the platea: so far aside of its axis, in that row. */
function inPlatea([aside, row]: readonly [number, number]): At {
  const radius = PLATEA.first + row * PLATEA.pitch;
  return onCircle(PLATEA.eye, radius, aside / radius);
}

function horseshoe(radius: number): At[] {
  const bend = between(-Math.PI / 2, Math.PI / 2, 12).map((angle) =>
    onCircle(CENTRE, radius, angle),
  );
  return [{ x: CENTRE.x - radius, y: 196 }, ...bend, { x: CENTRE.x + radius, y: 196 }];
}

function arc(radius: number, from: number, to: number): At[] {
  return between(from, to, 10).map((angle) => onCircle(CENTRE, radius, angle));
}

function band([inner, outer]: readonly [number, number], half: number): At[] {
  return [...arc(outer, -half, half), ...arc(inner, half, -half)];
}

/** Outlines are ended on their first point. */
const closed = (points: readonly At[]) => [...points, points[0]!];

/** A scan of the hall, and where it lies in its drawing. */
async function scan(browser: Browser, real: unknown) {
  const doc = openDrawing(real);
  const svg = svgOf(doc, doc.floors[0]!.id, { hasLabels: false, hasColors: false });
  const numbers = /viewBox="([^"]*)"/
    .exec(svg)![1]!
    .split(' ')
    .map((text) => Math.round(Number(text)));
  const [left, top, width, height] = numbers as [number, number, number, number];
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(
    `<style>*{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`,
  );
  const png = await page.screenshot();
  await page.close();
  return { png, box: { left, top, width, height } };
}

async function layPicture(hands: Hands, { png, box }: Awaited<ReturnType<typeof scan>>) {
  await hands.menu('Pianta', 'Sfondo da ricalcare');
  hands.acts += 1;
  await hands.page
    .getByLabel('Foto, scansione o PDF della sala')
    .setInputFiles({ name: 'goldoni.png', mimeType: 'image/png', buffer: png });
  const { left, top, width } = box;
  await hands.type('Da sinistra', String(left));
  await hands.type('Dall’alto', String(top));
  await hands.type('Larghezza', String(width));
  await hands.button('Fatto');
  await hands.lookAt(box);
}

async function nameCategories(hands: Hands) {
  await hands.tab('Categorie');
  for (const name of ['Platea', 'Palchi', 'Galleria']) {
    await hands.button('Nuova categoria');
    await hands.type('Nome della categoria', name);
  }
  await hands.tab('Proprietà');
}

interface Given {
  name: string;
  entrance: string;
  /** Without it it is painted afterwards. */
  category?: string;
}

/** Of the section or area that is selected. */
async function describe(hands: Hands, { name, category, entrance }: Given) {
  await hands.type('Etichetta', name);
  await hands.type('Varco', entrance);
  if (category) await hands.choose('Categoria', category);
}

async function fillBlock(hands: Hands, blanks: Record<string, number>) {
  for (const [label, value] of Object.entries(blanks)) {
    hands.acts += 1;
    await hands.page.getByLabel(label, { exact: true }).fill(String(value));
  }
  await hands.button('Crea');
}

const pickSeats = (hands: Hands) => hands.key('Control+Shift+P');

/** Along a wall, from row to row so far aside. */
function stairs(asides: readonly number[], rows: readonly number[]) {
  const at = (x: number, nth: number) => [x, rows.at(nth)!] as const;
  return [at(260, 0), ...asides.flatMap((x, nth) => [at(x, nth), at(x, nth + 1)]), at(260, -1)];
}

/** Sixteen rows of twenty, their ends cut along the walls, an aisle, wheelchair places at the corners. */
export async function drawPlatea(hands: Hands) {
  await hands.key('k');
  await hands.drag({ x: 252, y: 232 }, { x: 708, y: 730 });
  await fillBlock(hands, {
    File: 16,
    'Posti nella prima fila': 20,
    'Posti nell’ultima fila': 20,
    Curva: 26.1,
  });
  await pickSeats(hands);
  await hands.key('l');
  const top = stairs([168, 192, 216], [-0.5, 0.5, 2.5, 4.5]);
  const bottom = stairs([216, 192, 168], [11.5, 13.5, 14.5, 15.5]);
  await hands.drag(...top.map(inPlatea));
  await hands.page.keyboard.down('Shift');
  for (const corner of [
    bottom,
    top.map(([x, row]) => [-x, row] as const),
    bottom.map(([x, row]) => [-x, row] as const),
  ])
    await hands.drag(...corner.map(inPlatea));
  await hands.page.keyboard.up('Shift');
  await hands.key('Delete');
  await hands.key('Control+a');
  await hands.menu('Disponi', 'Corridoio in mezzo alle file');
  await hands.menu('Modifica', 'Etichette…');
  await hands.button('Assegna');
  await hands.key('v');
  const places = (far: number) =>
    [0, 15].flatMap((row) => [inPlatea([-far, row]), inPlatea([far, row])]);
  await hands.select(places(174));
  await hands.check('Posto per sedia a rotelle');
  await hands.select(places(150));
  await hands.check('Posto per accompagnatore');
  await pickSeats(hands);
  await hands.key('Control+a');
  await hands.menu('Disponi', 'Fai un settore');
  await describe(hands, { name: 'Platea', category: 'Platea', entrance: 'Ingresso platea' });
}

export async function drawTier(hands: Hands, tier: string, radius: number) {
  const line = horseshoe(radius);
  await hands.key('z');
  await hands.click(...line, line.at(-1)!);
  await hands.menu('Disponi', 'Palchi lungo la fila…');
  await hands.type('Palchi', '17');
  await hands.type('Sedie per palco', '4');
  await hands.type('Profondità', '38');
  await hands.type('Ordine (per esempio «I ordine»)', tier);
  await hands.button('Fai i palchi');
  const box = (324 + (Math.PI * radius) / 2) * (2 / 17);
  const sides = [0.5, 1.5].flatMap((at) =>
    [-radius, radius].map((x) => ({ x: CENTRE.x + x, y: 196 + at * box })),
  );
  await hands.key('v');
  await hands.select(sides);
  await hands.check('Visibilità limitata');
  await hands.key('s');
  await hands.click(...closed([...horseshoe(radius + 26), ...horseshoe(radius - 26).toReversed()]));
  await describe(hands, { name: `Palchi ${tier}`, category: 'Palchi', entrance: 'Scala palchi' });
}

/** Left of the stairs behind so many seats of each row, which stand so far aside. */
function leftOf(stairs: readonly (readonly [after: number, seats: number])[], aside: number): At[] {
  const { first, pitch, seat } = GALLERIA;
  const edge = stairs.flatMap(([after, seats], row) => {
    const radius = first + row * pitch;
    const angle = ((after - seats / 2) * seat + aside) / radius;
    return [-0.5, 0.5].map((more) => onCircle(CENTRE, radius + more * (pitch - 1), angle));
  });
  const angleOf = ({ x, y }: At) => Math.atan2(x - CENTRE.x, y - CENTRE.y);
  return [
    ...edge,
    ...arc(first + 3.5 * pitch, angleOf(edge.at(-1)!), -HALF),
    ...arc(first - 0.5 * pitch, -HALF, angleOf(edge[0]!)),
  ];
}

export async function drawGalleria(hands: Hands) {
  const { first, pitch, seat, half } = GALLERIA;
  await hands.key('k');
  await hands.drag({ x: 100, y: CENTRE.y + first }, { x: 860, y: CENTRE.y + first + 3 * pitch });
  await fillBlock(hands, {
    File: 4,
    'Posti nella prima fila': 36,
    'Posti nell’ultima fila': 42,
    'Distanza tra i posti': seat,
    'Distanza tra le file': pitch,
    Curva: first * (1 - Math.cos((17.5 * seat) / first)),
  });
  await hands.key('v');
  await hands.click(onCircle(CENTRE, first + 2 * pitch, seat / 2 / (first + 2 * pitch)));
  await hands.type('Posti', '39');
  await pickSeats(hands);
  for (const [after, aside] of [
    [[12, 13, 13, 14], 0],
    [[24, 25, 26, 28], half],
  ] as const) {
    await hands.key('l');
    await hands.drag(
      ...leftOf(
        after.map((seats, row) => [seats, [36, 38, 40, 42][row]!] as const),
        aside,
      ),
    );
    await hands.menu('Disponi', 'Apri un corridoio dopo questo posto');
  }
  await pickSeats(hands);
  await hands.key('s');
  await hands.click(...closed(band([first - 21, first + 3 * pitch + 21], HALF)));
  await describe(hands, { name: 'Galleria', category: 'Galleria', entrance: 'Scala galleria' });
}

export async function drawLoggione(hands: Hands) {
  await hands.key('a');
  await hands.click(...closed(band([580, 662], (25 * Math.PI) / 180)));
  await describe(hands, { name: 'Loggione', entrance: 'Scala galleria' });
  await hands.type('Capienza (persone)', '60');
  await hands.tab('Categorie');
  await hands.unfold('Galleria');
  await hands.button('Pennello');
  await hands.click({ x: CENTRE.x, y: CENTRE.y + 600 });
  await hands.tab('Proprietà');
}

async function publish(hands: Hands) {
  await hands.button('Pubblica');
  const dialog = hands.page.getByRole('dialog', { name: 'Pubblica la pianta' });
  hands.acts += 1;
  await dialog.getByRole('button', { name: 'Pubblica' }).click();
  await hands.page.getByText('Pubblicata', { exact: true }).waitFor();
}

/** What is sold, under its label: category, how many, marks; and where it is. */
function placesIn(raw: unknown) {
  const doc = openDrawing(raw);
  const categories = new Map(doc.categories.map(({ key, label }) => [String(key), label]));
  return new Map(
    listPlaces(doc).map(({ label, shown, category, capacity, x, y, data }) => {
      const seat = data as Record<string, unknown>;
      const marks = ['accessible', 'companionSeat', 'restrictedView', 'x_gapAfter'].filter(
        (mark) => seat[mark] === true,
      );
      const sold = [shown, categories.get(category ?? ''), capacity, ...marks].join(' ');
      return [label, { sold, at: { x, y } }] as const;
    }),
  );
}

/** Named, traced and published with these parts; what is there then, and in the theatre itself. */
export async function redraw(draw: (hands: Hands) => Promise<void>) {
  await using workshop = await openWorkshop();
  const { charts } = workshop.client;
  const real: unknown = await charts.retrievePublishedVersion('teatro-goldoni');
  const { page, ask, open } = await workshop.enter({ viewport: { width: 1500, height: 1500 } });
  expect(await open()).toBe('rendered');
  const hands = new Hands(page);
  await hands.type('Nome della pianta', 'Teatro Goldoni ridisegnato');
  await layPicture(hands, await scan(workshop.browser, real));
  await hands.button('Aggancio');
  await nameCategories(hands);
  await hands.key('f');
  await hands.click({ x: 480, y: 364 });
  await draw(hands);
  await hands.key('g');
  await hands.drag({ x: 180, y: 28 }, { x: 780, y: 140 });
  await publish(hands);
  await hands.tab('Cronologia');
  const steps = (await page.locator('.bsd-history li').count()) - 1;
  const [line] = await ask<string[]>('heard');
  const key = /^onChartCreated (\S+)$/.exec(line!)![1]!;
  const drawn: unknown = await charts.retrievePublishedVersion(key);
  expect(checkDrawing(drawn).filter(({ severity }) => severity === 'error')).toEqual([]);
  return { steps, acts: hands.acts, ours: placesIn(drawn), theirs: placesIn(real) };
}

/** A horseshoe of 700 seats with five orders of boxes is drawn by hands and keys, and no outline covers the stalls. */
import { expect } from 'vitest';
import { checkDrawing } from '#server/drawing/check/check.ts';
import { isInside } from '#server/drawing/geometry/hull.ts';
import { openDrawing } from '#server/drawing/model/open.ts';
import { listPlaces } from '#server/drawing/model/places.ts';
import { Hands, type At } from './hands.ts';
import { testWorkshop as test } from './studio.ts';

/** Down one side, round the bend, up the other. */
function horseshoe(radius: number): At[] {
  const bend = [-90, -45, 0, 45, 90].map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return { x: 500 + radius * Math.sin(angle), y: 380 + radius * Math.cos(angle) };
  });
  return [{ x: 500 - radius, y: 100 }, ...bend, { x: 500 + radius, y: 100 }];
}

async function drawStalls(hands: Hands): Promise<void> {
  await hands.key('k');
  await hands.drag({ x: 310, y: 130 }, { x: 690, y: 480 });
  for (const [label, value] of [
    ['File', '10'],
    ['Posti nella prima fila', '16'],
    ['Posti nell’ultima fila', '16'],
  ] as const)
    await hands.type(label, value);
  await hands.button('Crea');
  await hands.menu('Disponi', 'Fai un settore');
  await hands.type('Etichetta', 'Platea');
  await hands.choose('Categoria', 'Platea');
}

async function drawTier(hands: Hands, radius: number, name: string): Promise<void> {
  const line = horseshoe(radius);
  await hands.key('z');
  await hands.click(...line, line.at(-1)!);
  await hands.menu('Disponi', 'Palchi lungo la fila…');
  await hands.type('Palchi', '27');
  await hands.type('Profondità', '32');
  await hands.button('Fai i palchi');
  await hands.menu('Disponi', 'Fai un settore');
  await hands.type('Etichetta', name);
  await hands.choose('Categoria', 'Palchi');
}

const TIERS = ['I ordine', 'II ordine', 'III ordine', 'IV ordine', 'V ordine'];

test('a horseshoe of 700 with five orders takes at most 120 acts, and its outlines leave the stalls free', async (workshop) => {
  const { page, ask, open } = await workshop.enter({ viewport: { width: 1500, height: 1100 } });
  expect(await open()).toBe('rendered');
  const hands = new Hands(page);
  await hands.lookAt({ width: 1000, height: 800 });
  await hands.button('Aggancio');
  await hands.tab('Categorie');
  for (const name of ['Platea', 'Palchi']) {
    await hands.button('Nuova categoria');
    await hands.type('Nome della categoria', name);
  }
  await hands.tab('Proprietà');
  await page.getByRole('application').focus();
  await hands.key('f');
  await hands.click({ x: 500, y: 40 });
  await hands.key('g');
  await hands.drag({ x: 300, y: 10 }, { x: 700, y: 70 });
  await page.getByRole('application').focus();
  await drawStalls(hands);
  for (const [at, name] of TIERS.entries()) {
    await page.getByRole('application').focus();
    await drawTier(hands, 230 + at * 41, name);
  }
  await page.getByText(/^Bozza salvata alle/).waitFor();
  await hands.button('Pubblica');
  const dialog = page.getByRole('dialog', { name: 'Pubblica la pianta' });
  await dialog.getByText('È la prima pubblicazione: 700 posti').waitFor();
  hands.acts += 1;
  await dialog.getByRole('button', { name: 'Pubblica' }).click();
  await page.getByText('Pubblicata', { exact: true }).waitFor();

  const key = /^onChartCreated (\S+)$/.exec((await ask<string[]>('heard'))[0]!)![1]!;
  const raw: unknown = await workshop.client.charts.retrievePublishedVersion(key);
  const doc = openDrawing(raw);
  expect(checkDrawing(raw).filter(({ severity }) => severity === 'error')).toEqual([]);
  const places = listPlaces(doc);
  expect(places).toHaveLength(700);
  const stalls = places.filter(({ label }) => label.startsWith('Platea-'));
  expect(stalls).toHaveLength(160);
  const covering = [...doc.items.values()].filter(
    ({ kind, data }) =>
      kind === 'section' &&
      data.label !== 'Platea' &&
      stalls.some((seat) => isInside((data.points ?? []) as At[], seat)),
  );
  expect(covering.map(({ data }) => data.label)).toEqual([]);
  console.info(`Horseshoe of 700: ${hands.acts} acts`);
  expect(hands.acts).toBeLessThanOrEqual(120);
});

/** The home page: what a visitor learns of each event before opening it, and past ones folded away. */
import { see } from '#tests/support/browsers/see.ts';
import { expect, test } from 'vitest';
import { nextYear, weekdayOf } from '#tests/support/calendar.ts';
import { demoEvent } from '#tests/support/make.ts';
import { setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startVisit } from '#tests/support/browsers/start-visit.ts';
import { screens } from '#tests/support/visit.ts';
import { keepPlaces } from './full-house.ts';

const hour = 3_600_000;

/** More evenings of the same house. */
async function addEvent(server: TestServer, id: string, changes: object): Promise<void> {
  const { db } = server.house.ctx;
  const row = await db('events').where({ id: demoEvent }).first();
  await db('events').insert({
    ...row,
    id,
    show_id: null,
    seatsio_event_key: id,
    code_tag: id.slice(0, 4).toUpperCase(),
    ...changes,
  });
}

test('each card says what, when, where, from how much, and what stands in the way of buying; a house without events says so', async () => {
  await using at = await startVisit({ viewport: screens[0] });
  const { page, server } = at;
  const may = (day: string) => `${nextYear}-05-${day}`;
  const start = Date.parse(`${may('08')}T19:00:00.000Z`);
  await setPolicy(server, { starts_at: start }, demoEvent);
  await keepPlaces(server, 7);
  await addEvent(server, 'presto', {
    title: 'Così fan tutte, ossia La scuola degli amanti: opera buffa in due atti',
    starts_at: start + 24 * hour,
    sales_opens_at: Date.parse(`${nextYear}-02-25T09:00:00.000Z`),
    venue_title: 'Auditorium Parco della Musica Ennio Morricone – Sala Santa Cecilia',
    event_ball_image: null,
  });
  await addEvent(server, 'annullata', {
    title: 'Aspettando Godot',
    starts_at: start + 48 * hour,
    status: 'cancelled',
    cancelled_at: server.clock.now(),
  });
  await addEvent(server, 'bozza', { title: 'Non ancora deciso', status: 'draft' });
  await addEvent(server, 'passata', {
    title: 'Sei personaggi in cerca d’autore',
    starts_at: server.clock.now() - 240 * hour,
  });
  await page.goto('/');
  const cards = page.getByRole('main').getByRole('list').first().getByRole('listitem');
  // In the order of the evenings: the concert of the demonstration is this winter.
  await see(cards.getByRole('heading', { level: 3 })).toHaveText([
    'Concerto di Natale',
    'La locandiera',
    /^Così fan tutte/,
    'Aspettando Godot',
  ]);
  const card = (name: RegExp) =>
    page.getByRole('link').filter({ has: page.getByRole('heading', { name }) });
  for (const words of [
    `${weekdayOf(may('08')).slice(0, 3)} 8 mag · 21:00`,
    'Teatro Goldoni',
    /da 12,00\s€/,
    'Ultimi 7 posti',
    'Scegli i posti',
  ])
    await see(card(/La locandiera/)).toContainText(words);
  for (const words of [
    `${weekdayOf(may('09')).slice(0, 3)} 9 mag · 21:00`,
    'Sala Santa Cecilia',
    /da 12,00\s€/,
    'Vendita dal 25 febbraio alle 10:00',
  ])
    await see(card(/Così fan tutte/)).toContainText(words);
  // Only a sale that will open has something to be told of.
  await see(cards.getByRole('link', { name: /^Avvisami/ })).toHaveAccessibleName(
    /^Avvisami quando apre la vendita dei biglietti per Così fan tutte/,
  );
  await see(card(/Aspettando Godot/)).toContainText('Evento annullato');
  await see(card(/Aspettando Godot/)).not.toContainText('€');
  await see(card(/Concerto di Natale/)).not.toContainText('Ultimi');
  await see(page.getByText('Non ancora deciso')).toHaveCount(0);
  // Long names and badges stay inside their card, whatever the number of columns.
  for (const viewport of screens) {
    await page.setViewportSize(viewport);
    const stickOut = await cards.evaluateAll((items) =>
      items.flatMap((item) => {
        const frame = item.querySelector('.home-home_text')!.getBoundingClientRect();
        return [...item.querySelectorAll('.home-home_text *')]
          .filter(
            (part) =>
              part.getBoundingClientRect().right > frame.right - 16 ||
              part.getBoundingClientRect().left < frame.left + 16,
          )
          .map((part) => part.className);
      }),
    );
    expect(stickOut).toEqual([]);
  }

  const past = page.getByRole('link', { name: /Sei personaggi/ });
  await see(past).toBeHidden();
  await page.getByText('1 spettacolo passato').click();
  await see(past).toBeVisible();
  await see(past).toContainText('Vendita chiusa');
  // Whoever comes too late hears when it was, and where to go on.
  await past.click();
  const notice = page.getByRole('main').locator('.event-sale-notice_notice');
  await see(notice.getByRole('heading')).toHaveText('Spettacolo concluso');
  await see(notice).toContainText(
    /Si è svolto \S+ \d+ \S+ \d{4}, ore \d\d:\d\d\. Per questo spettacolo non si vendono più biglietti online\./,
  );
  await notice.getByRole('link', { name: 'Guarda gli spettacoli in programma' }).click();
  await see(page.getByRole('heading', { name: 'In programma' })).toBeVisible();
  await card(/La locandiera/).click();
  await see(page.getByRole('heading', { level: 1, name: 'La locandiera' })).toBeVisible();
  await see(page.getByText('Ultimi 7 posti')).toBeVisible();

  await server.house.ctx.db('events').update({ status: 'draft' });
  await page.goto('/');
  await see(page.getByText('Nessuno spettacolo in programma, per ora.')).toBeInViewport();
  await see(page.getByRole('main').getByRole('link')).toHaveCount(0);
  expect(at.troubles).toEqual([]);
});

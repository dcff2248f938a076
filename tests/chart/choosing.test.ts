/** Choosing places in a real browser, by map and by list, against the real stand-in. */
import { expect } from 'vitest';
import { choiceFaults } from '#server/domain/seat/seating-words.ts';
import { box, middleOf, testTheatre as test } from './theatre.ts';

test('a click on the map holds a seat at the server, a second one gives it back; another visitor sees both at once and cannot choose it meanwhile', async (theatre) => {
  const [one, other] = await Promise.all([theatre.enter(), theatre.enter()]);
  await one.pressSeat(box(2));
  await one.hears('calls end');
  expect(await one.infoOf(box(2))).toMatchObject({
    status: 'reservedByToken',
    holdToken: await one.ask('chart.holdToken'),
    ticketType: 'palco',
  });
  expect(await one.chosen()).toEqual([box(2)]);
  const calls = (await one.heard()).filter((line) => !line.startsWith('status'));
  expect(calls.slice(calls.indexOf('calls begin') - 1)).toEqual([
    `selected ${box(2)} palco`,
    'calls begin',
    `held ${box(2)} palco`,
    'calls end',
  ]);
  await other.hears(`status ${box(2)} reservedByToken`);
  await other.pressSeat(box(2));
  await other.choose(box(2));
  expect(await other.chosen()).toEqual([]);
  expect((await other.heard()).filter((line) => line.startsWith('calls'))).toEqual([]);
  await one.pressSeat(box(2));
  await one.hears(`released ${box(2)}`);
  expect((await one.infoOf(box(2))).status).toBe('free');
  expect(await one.chosen()).toEqual([]);
  await other.hears(`status ${box(2)} free`);
  await other.pressSeat(box(2));
  await other.hears(`held ${box(2)}`);
});

test('several ticket types are asked for: Escape takes the question back and the focus returns, a double click leaves it open', async (theatre) => {
  const { page, ask, chosen, hears, infoOf, openRow, show } = await theatre.enter();
  await openRow(/^Platea/, /^Fila C/);
  const seat = page.getByRole('button', { name: /^Fila C, posto 5, Platea, da 18,00 €/ });
  await seat.click();
  const question = page.getByRole('dialog', { name: 'Platea, fila C, posto 5' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await chosen()).toEqual([]);
  expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toContain(
    'Fila C, posto 5',
  );
  await seat.click();
  await question.getByRole('button', { name: /Ridotto\s*18,00 €/ }).click();
  await hears('held Platea-C-5 ridotto');
  expect((await infoOf('Platea-C-5')).ticketType).toBe('ridotto');
  expect(
    await ask(
      'chart.listSelectedObjects().then(([object]) => [object.objectType, object.selectedTicketType, object.labels.parent])',
    ),
  ).toEqual(['Seat', 'ridotto', 'C']);

  await show();
  await ask('chart.zoomToObjects(["Platea-C-5"])');
  const { x, y } = await middleOf(page);
  await page.mouse.dblclick(x, y);
  await question.getByRole('button', { name: /Intero/ }).click();
  await hears('held Platea-C-5 intero');
});

test('standing places are chosen by number and ticket type and can be changed later; an area pressed twice in a moment is asked about twice', async (theatre) => {
  const { page, ask, hears, infoOf, pressSeat } = await theatre.enter();
  const numHeld = async () => (await infoOf('Loggione')).numHeld;
  const full = page.getByRole('spinbutton', { name: 'Intero' });
  // The sheet opens at one place: whoever taps an area wants to stand there.
  await pressSeat('Loggione');
  await full.waitFor();
  await page.keyboard.press('Escape');
  await pressSeat('Loggione');
  await full.waitFor();
  expect(await full.inputValue()).toBe('1');
  await page.getByRole('button', { name: 'Un posto in più, Intero' }).click();
  await page.getByRole('button', { name: 'Un posto in più, Ridotto' }).click();
  await page.getByText('Totale 42,00 €').waitFor();
  await page.getByRole('button', { name: 'Conferma' }).click();
  await hears('held Loggione ridotto');
  expect(await numHeld()).toBe(3);
  expect(
    await ask(
      'chart.listSelectedObjects().then(([area]) => [area.objectType, area.numSelected, area.selectionPerTicketType])',
    ),
  ).toEqual(['GeneralAdmissionArea', 3, { intero: 2, ridotto: 1 }]);
  await pressSeat('Loggione');
  await full.waitFor();
  expect(await full.inputValue()).toBe('2');
  await page.getByRole('button', { name: 'Un posto in meno, Intero' }).click();
  await page.getByRole('button', { name: 'Conferma' }).click();
  await hears('released Loggione');
  expect(await numHeld()).toBe(2);
});

test('a seat left alone is marked on map and list and told with the sentence of page and server, and the page hears what its rules say, once for each verdict', async (theatre) => {
  const { page, choose, read, heard, hears, openRow, show } = await theatre.enter({
    chart: {
      selectionValidators: [
        { type: 'noOrphanSeats' },
        { type: 'consecutiveSeats' },
        { type: 'minimumSelectedPlaces', minimum: 1 },
      ],
    },
  });
  const verdicts = async () => (await heard()).filter((line) => /^(in)?valid/.test(line));
  const full = (label: string) => ({ label, ticketType: 'intero' });
  await choose(full('Platea-B-2'));
  await hears('invalid noOrphanSeats');
  expect(await read('Platea-B-1', 'isOrphan')).toEqual([true]);
  expect(await page.locator('.bsc-note').innerText()).toBe(choiceFaults.noOrphanSeats);
  await openRow(/^Platea/, /^Fila B/);
  await page
    .getByRole('button', { name: /^Fila B, posto 1,.*libero, resterebbe isolato$/ })
    .waitFor();
  await choose(full('Platea-B-1'));
  await hears('valid');
  expect(await read('Platea-B-1', 'isOrphan')).toEqual([false]);
  await choose(full('Platea-D-4'));
  expect((await verdicts()).at(-1)).toBe('invalid consecutiveSeats');

  const evening = await show({ chart: { selectionValidators: [{ type: 'noOrphanSeats' }] } });
  await choose(box(1));
  await hears(`status ${box(1)}`);
  await theatre.client.events.book(evening, 'Galleria-A-1');
  await hears('status Galleria-A-1 booked');
  expect(await verdicts()).toEqual(['valid']);
  // Only when somebody else makes it another verdict it is told again.
  await theatre.client.events.book(evening, box(3));
  await hears('invalid noOrphanSeats');
  expect(await verdicts()).toEqual(['valid', 'invalid noOrphanSeats']);
});

test('no more places are chosen than the page allows, and none without a price when it says so', async (theatre) => {
  const { page, choose, chosen, hears, pressSeat, show } = await theatre.enter({
    chart: { maxSelectedObjects: 1 },
  });
  await pressSeat(box(2));
  await hears(`held ${box(2)}`);
  await pressSeat(box(3));
  await page.getByText('Puoi scegliere un solo posto.').first().waitFor();
  expect(await chosen()).toEqual([box(2)]);
  await show({
    chart: {
      pricing: [{ category: 'Galleria', price: 15 }],
      objectWithoutPricingSelectable: false,
    },
  });
  await choose('Platea-C-5', 'Galleria-A-3');
  expect(await chosen()).toEqual(['Galleria-A-3']);
});

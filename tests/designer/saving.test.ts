/** What is drawn reaches the server by itself, is kept when it cannot, and is never lost to somebody else's drawing. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { otherPerson } from './other-person.ts';
import { cutLine, type Workshop, testWorkshop as test } from './studio.ts';

interface Drawn {
  name: string;
  subChart: { rows: { label: string; seats: { x: number; label: string }[] }[] };
}

const draftOf = async ({ client }: Workshop, key: string) =>
  (await client.charts.retrieveDraftVersion(key)) as unknown as Drawn;

const publishedOf = async ({ client }: Workshop, key: string) =>
  (await client.charts.retrievePublishedVersion(key)) as unknown as Drawn;

const firstSeat = ({ subChart }: Drawn) => subChart.rows[0]!.seats[0]!.x;

/** Row A is chosen in the list of objects, turned so often by keys, and sent. */
async function turnRow(page: Page, times = 1): Promise<void> {
  const list = page.getByRole('button', { name: 'Elenco degli oggetti' });
  if ((await list.getAttribute('aria-expanded')) === 'false') await list.click();
  await page.getByRole('treeitem', { name: 'Fila A', exact: true }).click();
  for (let time = 0; time < times; time += 1) await page.keyboard.press('Control+.');
  await hurry(page);
}

/** The only drawing that the browser keeps. */
const readKept = `(done) => {
  const opening = indexedDB.open('chart-designer', 1);
  opening.onsuccess = () => {
    const all = opening.result.transaction('drawings').objectStore('drawings').getAll();
    all.onsuccess = () => done(all.result[0].drawing);
  };
}`;

const saved = (page: Page) => page.getByText(/^Bozza salvata alle/).waitFor();

/** Nobody waits for the moment of quiet after which it saves by itself: as when a line is there again. */
const hurry = (page: Page) => page.evaluate("dispatchEvent(new Event('online'))");

test('what is changed is a draft on the server without a word, and is published after a look at what differs; a chart without a key is made with the first change', async (workshop) => {
  const { page, ask, open } = await workshop.enter();
  await open({ chartKey: 'small' });
  const before = firstSeat(await publishedOf(workshop, 'small'));
  await turnRow(page);
  await saved(page);
  expect(firstSeat(await draftOf(workshop, 'small'))).not.toBe(before);
  expect(firstSeat(await publishedOf(workshop, 'small'))).toBe(before);
  await page.getByRole('button', { name: 'Pubblica', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Pubblica la pianta' });
  await dialog.getByText('Che cosa cambia').waitFor();
  expect(await dialog.locator('.bsd-told li').first().textContent()).toMatch(/Fila A/);
  await dialog.getByRole('button', { name: 'Pubblica' }).click();
  await page.getByText('Pubblicata', { exact: true }).waitFor();
  expect(await ask('heard')).toEqual(['onChartUpdated small', 'onChartPublished small']);
  await page.getByRole('tab', { name: 'Cronologia' }).click();
  await page.getByRole('button', { name: 'Rotazione: 15', exact: true }).waitFor();

  expect(await open()).toBe('rendered');
  await page.getByLabel('Nome della pianta').fill('Sala nuova');
  await page.keyboard.press('Enter');
  await saved(page);
  const [line] = await ask<string[]>('heard');
  const [, key] = /^onChartCreated (\S+)$/.exec(line!)!;
  expect((await draftOf(workshop, key!)).name).toBe('Sala nuova');
});

test('without a line or a key the drawing stays in the browser, and is offered when the chart is opened again, but not what the page still sent as it went', async (workshop) => {
  const { page, ask, open } = await workshop.enter();
  // The page asks whether it may be left.
  page.on('dialog', (dialog) => void dialog.accept());
  const offer = page.getByRole('dialog', { name: 'Modifiche non inviate' });
  const comeBack = async () => {
    await page.reload();
    await open({ chartKey: 'small' });
  };
  await open({ chartKey: 'small' });
  await cutLine(page);
  await turnRow(page);
  await page.getByText('Senza linea: le modifiche restano in questo browser').waitFor();
  await comeBack();
  expect(await offer.locator('.bsd-told').textContent()).toMatch(/Fila A/);
  await offer.getByRole('button', { name: 'Riprendile' }).click();
  await saved(page);
  expect((await draftOf(workshop, 'small')).name).toBe('Small');

  await ask("designer.config.secretKey = 'over'");
  await turnRow(page);
  await page
    .getByText('Sessione finita: accedi di nuovo, le modifiche restano in questo browser')
    .waitFor();
  await comeBack();
  await offer.getByRole('button', { name: 'Riprendile' }).click();
  await saved(page);

  await cutLine(page);
  await turnRow(page);
  await page.getByText('Senza linea: le modifiche restano in questo browser').waitFor();
  // What the page sent is on the server; the page itself went before it heard so.
  const drawn = await ask<object>(`new Promise(${readKept})`);
  await otherPerson(workshop, 'small').save((drawing) => Object.assign(drawing, drawn));
  await comeBack();
  await page.getByText(/^Bozza/).waitFor();
  expect(await offer.count()).toBe(0);
});

test('of two people the later is told, sees the difference and chooses whose drawing stays; whoever only looks is told that somebody has saved, and takes it over', async (workshop) => {
  const [one, two] = [await workshop.enter(), await workshop.enter()];
  await one.open({ chartKey: 'small' });
  await two.open({ chartKey: 'small' });
  await turnRow(one.page);
  await saved(one.page);
  await turnRow(two.page, 2);
  const dialog = two.page.getByRole('dialog', { name: 'Due persone su una pianta' });
  expect(await dialog.locator('.bsd-told').textContent()).toMatch(/Fila A/);
  await dialog.getByRole('button', { name: 'Salva la mia come copia' }).click();
  await two.page.getByText(/^Bozza/).waitFor();
  const theirs = await draftOf(workshop, 'small');
  const charts = await workshop.client.charts.listFirstPage();
  const copy = charts.items.find(({ name }) => name === 'Small (copia)')!;
  expect(firstSeat(await publishedOf(workshop, copy.key))).not.toBe(firstSeat(theirs));
  await turnRow(one.page);
  await saved(one.page);
  await turnRow(two.page);
  await dialog.getByRole('button', { name: 'Tieni la mia' }).click();
  await saved(two.page);

  const { page, ask, open } = one;
  const other = otherPerson(workshop, 'small');
  await open({ chartKey: 'small' });
  await other.calls.sayHere({ tab: 'other-tab', isEditing: true });
  await other.save((drawing) => void (drawing.name = 'Di un’altra persona'));
  await ask("dispatchEvent(new Event('focus'))");
  const notice = page.getByRole('alert').filter({ hasText: 'ha salvato questa pianta' });
  await page.getByText(/^Hanno aperto la pianta: .*un’altra persona/).waitFor();
  await notice.getByRole('button', { name: 'Aggiorna' }).click();
  await notice.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Nome della pianta').inputValue()).toBe('Di un’altra persona');
  await turnRow(page);
  await saved(page);
});

test('what somebody has may be moved but not taken away, and it is said who has it; a key that runs out in the middle is asked for once, and what was drawn is saved', async (workshop) => {
  const { page, ask, open } = await workshop.enter();
  await open(
    { chartKey: 'small' },
    `{ renewKey: async () => { heard.push('renewed'); return ${JSON.stringify(workshop.secretKey)}; } }`,
  );
  await ask("designer.config.secretKey = 'over'");
  // Two calls go out with the old key: what is drawn, and that one is here.
  await turnRow(page);
  await ask("dispatchEvent(new Event('focus'))");
  await saved(page);
  await turnRow(page);
  await page.waitForFunction(
    "heard.filter((line) => line === 'onChartUpdated small').length === 2",
  );
  const lines = await ask<string[]>('heard');
  expect(lines.filter((line) => line === 'renewed')).toHaveLength(1);

  await workshop.client.events.book('ev', ['A-1'], null, 'ordine-7');
  await open(
    { chartKey: 'small', wayOut: { text: 'Cambia sala', href: '/cambio' } },
    "{ tellHolders: async () => ({ 'ordine-7': { text: 'Ordine 7, Anna Rossi', href: '/ordini/7' } }) }",
  );
  // What somebody has is marked before it is touched.
  await page.getByText('1 posto preso').waitFor();
  await turnRow(page);
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Qualcuno ha questi posti' });
  await dialog.getByText('«A-1» non ci sarebbe più').waitFor();
  await dialog.getByRole('link', { name: 'Ordine 7, Anna Rossi' }).waitFor();
  await dialog.getByRole('link', { name: 'Cambia sala' }).waitFor();
  await dialog.getByRole('button', { name: 'Ho capito' }).click();
  await page.getByRole('treeitem', { name: 'Fila A', exact: true }).waitFor();
  await page.getByRole('treeitem', { name: 'Fila B', exact: true }).click();
  await page.keyboard.press('Delete');
  await page.getByRole('treeitem', { name: 'Fila B', exact: true }).waitFor({ state: 'detached' });
});

test('a version that was on sale becomes the draft again, a draft is thrown away, and each is asked once more before', async (workshop) => {
  const other = otherPerson(workshop, 'small');
  await other.save((drawing) => void (drawing.name = 'Seconda'));
  await other.publish();
  const { page, open } = await workshop.enter();
  await open({ chartKey: 'small' });
  const name = page.getByLabel('Nome della pianta');
  const versions = page.getByRole('dialog', { name: 'Versioni pubblicate' });
  const menu = page.getByRole('button', { name: 'Pianta', exact: true });
  const look = async () => {
    await menu.click();
    await page.getByRole('menuitem', { name: 'Versioni pubblicate…' }).click();
    await versions.getByText('in uso').waitFor();
  };
  await look();
  expect(await versions.getByRole('button', { name: 'Scarta la bozza' }).count()).toBe(0);
  await versions.getByRole('button', { name: 'Riprendi' }).click();
  const question = page.getByRole('dialog', { name: 'Riprendere questa versione?' });
  await question.getByRole('button', { name: 'Annulla' }).click();
  expect(await name.inputValue()).toBe('Seconda');
  await versions.getByRole('button', { name: 'Riprendi' }).click();
  await question.getByRole('button', { name: 'Riprendi' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Small');
  expect((await draftOf(workshop, 'small')).name).toBe('Small');
  await page.waitForFunction('document.activeElement.matches(".bsd-canvas")');

  // What is not saved yet goes with the draft, and cannot come back by a step back.
  await turnRow(page);
  await look();
  await versions.getByRole('button', { name: 'Scarta la bozza' }).click();
  await page
    .getByRole('dialog', { name: 'Scartare la bozza?' })
    .getByRole('button', { name: 'Scarta la bozza' })
    .click();
  await page.getByText('Pubblicata', { exact: true }).waitFor();
  expect(await name.inputValue()).toBe('Seconda');
  const [chart] = (await workshop.client.charts.listFirstPage()).items;
  expect(chart).toMatchObject({ name: 'Seconda', status: 'PUBLISHED' });
});

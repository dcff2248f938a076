/** The designer and each of its dialogs, one after the other on one page: two engines find nothing in either theme, on a screen or on a tablet, and nothing is cut off. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';
import { cutLine, testWorkshop as test } from './studio.ts';
import { otherPerson } from './other-person.ts';

/** Dark and on a tablet only colours and widths are others. */
async function lookAt(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  // The browser’s own picker speaks the browser’s language.
  expect(await page.locator('input[type=file]:visible').count()).toBe(0);
  for (const { width, theme, asked } of [
    { width: 768, theme: 'dark', asked: ['contrast'] },
    { width: 1440, theme: 'light', asked: ['axe', 'ibm'] },
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await wear(page, theme);
    expect([title, width, theme, await auditPage(page, 'dialog[open]', asked)]).toEqual([
      title,
      width,
      theme,
      [],
    ]);
    expect(await dialog.evaluate((own) => own.scrollWidth - own.clientWidth)).toBe(0);
  }
}

const wear = (page: Page, theme: string) =>
  page.evaluate(`document.querySelector('.bsd').dataset.theme = '${theme}'`);

/** With tree, panels and menu, on a screen, a tablet and a telephone. */
async function lookAtScreen(page: Page): Promise<void> {
  expect(await auditPage(page)).toEqual([]);
  await wear(page, 'light');
  expect(await auditPage(page, ':root', ['contrast'])).toEqual([]);
  await page.getByRole('button', { name: 'Disponi' }).click();
  expect(await auditPage(page, ':root', ['axe'])).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 768, height: 1024 });
  expect(await auditPage(page, ':root', ['axe'])).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText('Per disegnare serve uno schermo più grande').waitFor();
  expect(await auditPage(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function choose(page: Page, menu: string, line: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: line }).click();
}

test('axe and IBM find nothing in the designer or any of its dialogs, and nothing is cut off', async (workshop) => {
  const other = otherPerson(workshop, 'small');
  await other.save((drawing) => {
    drawing.name = 'Sala grande';
  });
  await other.publish();
  const { page, open } = await workshop.enter();
  await open({ chartKey: 'small', colorScheme: 'dark' });
  const leave = async () => {
    const id = await page.locator('dialog[open]').getAttribute('aria-labelledby');
    await page.keyboard.press('Escape');
    await page.locator(`dialog[aria-labelledby="${id}"]`).waitFor({ state: 'detached' });
  };

  await page.getByRole('button', { name: 'Elenco degli oggetti' }).click();
  await page.getByRole('treeitem', { name: 'Fila A', exact: true }).click();
  await lookAtScreen(page);
  await page.getByRole('treeitem', { name: 'Fila A', exact: true }).click();
  await page.keyboard.press('Control+.');
  await page.getByText(/^Bozza salvata alle/).waitFor();

  await page.getByRole('button', { name: 'Pubblica', exact: true }).click();
  await page.getByText('Che cosa cambia').waitFor();
  await lookAt(page, 'Pubblica la pianta');
  await page.getByRole('button', { name: 'Mostra sulla pianta' }).click();
  expect(await page.getByLabel('Colora i posti cambiati').isChecked()).toBe(true);
  await choose(page, 'Pianta', 'Versioni pubblicate…');
  await page.getByRole('button', { name: 'Riprendi' }).waitFor();
  await lookAt(page, 'Versioni pubblicate');
  await page.getByRole('button', { name: 'Riprendi' }).click();
  await lookAt(page, 'Riprendere questa versione?');
  await leave();
  await leave();
  await page.keyboard.press('Control+f');
  await page
    .getByRole('dialog')
    .getByLabel(/^Etichetta/)
    .fill('B');
  await lookAt(page, 'Vai a un posto');
  // The first Esc empties the field.
  await page.keyboard.press('Escape');
  await leave();
  await page.keyboard.press('F1');
  await lookAt(page, 'Tasti');
  await leave();
  await choose(page, 'Pianta', 'Parti da un modello…');
  await lookAt(page, 'Parti da un modello');
  await leave();
  await choose(page, 'Pianta', 'Importa…');
  await lookAt(page, 'Importa');
  await leave();
  await choose(page, 'Pianta', 'Esporta…');
  await lookAt(page, 'Esporta');
  await leave();
  await choose(page, 'Pianta', 'Stampa…');
  await lookAt(page, 'Stampa');
  await leave();
  await choose(page, 'Pianta', 'Sfondo da ricalcare…');
  await lookAt(page, 'Sfondo');
  await leave();
  await choose(page, 'Modifica', 'Etichette…');
  await lookAt(page, 'Etichette');
  await leave();
  await choose(page, 'Gestisci i piani', 'Aggiungi un piano…');
  await lookAt(page, 'Nuovo piano');
  await leave();

  await page.keyboard.press('Control+.');
  await other.save((drawing) => {
    drawing.name = 'Sala piccola';
  });
  await lookAt(page, 'Due persone su una pianta');
  // Closed by Esc, the choice can be made later.
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 768, height: 900 });
  await page.getByRole('button', { name: 'Scegli' }).click();
  await page.getByRole('button', { name: 'Tieni la mia' }).click();
  await page.waitForFunction('document.activeElement.matches(".bsd-canvas")');
  await page.getByText(/^Bozza salvata alle/).waitFor();

  await cutLine(page);
  await page.getByRole('treeitem', { name: 'Fila A', exact: true }).click();
  await page.keyboard.press('Control+.');
  await page.getByText('Senza linea: le modifiche restano in questo browser').waitFor();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await open({ chartKey: 'small' });
  await lookAt(page, 'Modifiche non inviate');
});

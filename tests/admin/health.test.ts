/**
 * Salute and Mettere in scena in a real browser: what is wrong is said in words, what can be mended
 * is mended there after a question, and two accessibility engines find nothing.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { checkInvariants } from '#server/services/reconcile/invariants.ts';
import { compareBooks } from '#server/services/reconcile/comparison.ts';
import { product } from '#server/services/kit/version.ts';
import { noteCrowdAt } from '#server/services/queue/crowd.ts';
import { ask, demoEvent, makeOrder, payOrder, until } from '#tests/support/make.ts';
import { type TestServer } from '#tests/support/server.ts';
import { desk, expectGood, goTo, phone, see, testOffice as test } from './office.ts';

const never = new AbortController().signal;

/**
 * A sold seat that is free at the seat map, an invariant that is broken, and payments of which
 * Stripe never told.
 */
async function upset(server: TestServer): Promise<string> {
  const { ctx } = server.house;
  await compareBooks(ctx, never);
  const order = await makeOrder(server);
  await payOrder(server, order.checkout_url);
  server.clock.advance(3_000);
  await ask(server, 'GET', `/api/orders/${order.order_id}/status`);
  await server.runDue();
  const label = order.selected_objects[0]!.object_id;
  await ctx.seats.release(
    demoEvent,
    [{ label, quantity: null, ticket_type: 'intero' }],
    order.order_id,
  );
  await compareBooks(ctx, never);
  await ctx
    .db('checkout_sessions')
    .where({ order_id: order.order_id })
    .update({ paid_at: server.clock.now() - 20 * 60_000 });
  // Each message has come before they are forgotten.
  const { deliveries } = server.house.standins!.stripe!;
  await until(async () => (await deliveries.list()).every(({ state }) => state === 'delivered'));
  await ctx.db('webhook_events').delete();
  await ctx.db('payments').where({ order_id: order.order_id }).update({ amount_cents: 1 });
  await ctx
    .db('orders')
    .where({ id: order.order_id })
    .update({ confirmed_at: server.clock.now() - 20 * 60_000 });
  await checkInvariants(ctx);
  return label;
}

test('what is wrong stands there in words, also a proxy that no setting names, and a seat that came loose is booked again after a question', async (office) => {
  const { server } = office;
  const { db, seats } = server.house.ctx;
  const label = await upset(server);
  const page = await office.open('/settings/health', { size: phone });
  await see(page.getByText(/Nessun webhook da Stripe da .*1 ordine è stato pagato/)).toBeVisible();
  await see(
    page.getByText(/Non è vero che: il pagato di un ordine è la somma dei suoi incassi/),
  ).toBeVisible();
  await see(page.getByText('Posto venduto qui, ma libero sulla pianta')).toBeVisible();
  const notice = page.getByRole('status').filter({ hasText: 'TRUST_PROXY' });
  await see(notice).toHaveCount(0);
  await fetch(`${server.url}/readyz`, { headers: { 'X-Forwarded-For': '198.51.100.1' } });
  await noteCrowdAt(server.house.ctx, demoEvent);
  await page.reload();
  await see(notice).toContainText(
    /Da (?:127\.0\.0\.1|::1) arrivano visite che dicono di passare da un proxy.*TRUST_PROXY non lo nomina/,
  );
  await expectGood(page, [desk.width]);
  await page.getByRole('button', { name: 'Occupa sulla pianta…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Occupa sulla pianta' });
  await see(dialog).toContainText(label);
  await dialog.getByRole('button', { name: 'Occupa sulla pianta' }).click();
  await see(page.getByText('Nessuna differenza aperta.')).toBeVisible();
  expect((await seats.read(demoEvent, [label])).get(label)!.status).toBe('booked');
  await db('payments').update({ amount_cents: 6_400 });
  await page.getByRole('button', { name: 'Controlla adesso' }).click();
  await see(page.getByText(/Tutte le \d+ regole sono rispettate/)).toBeVisible();
  const crowd = page
    .getByRole('status')
    .filter({ hasText: 'Una sola rete prende moltissimi posti' });
  await crowd.getByRole('link', { name: 'Sala d’attesa' }).click();
  await see(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`/admin/events/${demoEvent}/queue`);
});

const guideFile = join(import.meta.dirname, '../../.deploy/METTERE-IN-SCENA.md');

test('beside it stands the guide, chapter by chapter as in its file, with commands that are copied', async (office) => {
  const page = await office.open('/settings/health');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('link', { name: 'Mettere in scena' }).click();
  const guide = await readFile(guideFile, 'utf8');
  const titles = [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) => title!);
  await see(page.getByRole('heading', { level: 2 })).toHaveText(titles);
  const chapters = page.getByRole('navigation', { name: 'Capitoli' }).getByRole('link');
  await see(chapters).toHaveText(titles);
  await chapters.last().click();
  await see(page.getByRole('heading', { level: 2 }).last()).toBeInViewport();
  await page.getByRole('button', { name: 'Copia' }).first().click();
  await see(page.getByRole('button', { name: 'Copiato' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect([copied.split('\n').length > 3, guide.includes(`\`\`\`sh\n${copied}\n`)]).toEqual([
    true,
    true,
  ]);
  await expectGood(page);
  // Printed, it is the text alone.
  await page.emulateMedia({ media: 'print' });
  await see(chapters.first()).toBeHidden();
  await see(page.getByRole('button', { name: 'Copia' }).first()).toBeHidden();
  await see(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await page.emulateMedia({ media: null });
  // An address of a chapter leads there, though its text comes later than the page.
  await page.goto('about:blank');
  await page.goto(`${office.server.url}/admin/settings/guide#9-le-copie`);
  await see(page.getByRole('heading', { name: '9. Le copie' })).toBeInViewport();
});

test('a tab that is older than a server says so until a person reloads it, which asks first where a form is half filled in', async (office) => {
  const { ctx } = office.server.house;
  const page = await office.open('/settings/health', { size: phone });
  const processes = page.getByRole('region', { name: 'Processi' });
  await see(processes).toContainText(`Questa versione, la ${product.version}, è del`);
  await see(processes).toContainText(/Acceso.*processo \d+: acceso da .*, ultimo segno/s);
  await expectGood(page, [desk.width]);
  await page.clock.install();
  await page.reload();
  await see(processes).toBeVisible();
  const band = page.getByRole('status').filter({ hasText: 'C’è una versione nuova' });
  const answer = async (version: string) => {
    ctx.version = version;
    const heard = page.waitForResponse(/\/api\/admin\/house$/);
    await page.clock.fastForward(61_000);
    expect(((await (await heard).json()) as { version: string }).version).toBe(version);
  };
  // The version before answers, too, while an upgrade goes on.
  await answer('0.0.9');
  await see(processes).toBeVisible();
  expect(await band.count()).toBe(0);
  await answer('99.0.0');
  await see(band).toBeVisible();
  await answer('0.0.9');
  await see(band).toBeVisible();
  await goTo(page, '/settings/site');
  await page.getByLabel('Nome', { exact: false }).first().fill('A metà');
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await band.getByRole('button', { name: 'Ricarica' }).click();
  await see(page.getByLabel('Nome', { exact: false }).first()).toHaveValue('A metà');
  expect(asked).toEqual(['beforeunload']);
});

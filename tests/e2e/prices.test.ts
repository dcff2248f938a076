/** RULES P4: one price everywhere. Every place where a buyer reads it is read and compared, with a presale fee and without, before the sale opens and after. */
import type { Page } from 'playwright';
import { see } from '#tests/support/browsers/see.ts';
import { expect } from 'vitest';
import { formatEuro } from '#server/domain/price/money.ts';
import { mailsOf } from '#tests/support/mail-day.ts';
import { demoEvent, recordOf } from '#tests/support/make.ts';
import { readPdf } from '#tests/support/pdf.ts';
import { feeEvent, setPolicy } from '#tests/support/refunds.ts';
import type { TestServer } from '#tests/support/server.ts';
import { fillCard, testVisit as test } from '#tests/support/browsers/start-visit.ts';
import { within } from '#tests/support/visit.ts';
import { openRow, pressPay } from '#tests/support/visitor.ts';

interface Shown {
  event: string;
  title: string;
  /** In cents, as they are paid: a full ticket in the stalls, a reduced one there, the lowest of the event. */
  full: number;
  reduced: number;
  lowest: number;
  fee: number;
}
const withFee: Shown = {
  event: feeEvent,
  title: 'Concerto di Natale',
  full: 2_950,
  reduced: 2_350,
  lowest: 1_150,
  fee: 150,
};
const withoutFee: Shown = {
  event: demoEvent,
  title: 'La locandiera',
  full: 3_200,
  reduced: 2_500,
  lowest: 1_200,
  fee: 0,
};

function feeIn(cents: number): string {
  return `di cui ${formatEuro(cents)} di prevendita`;
}

/** Home page, event page, link previews for search engines, and the chart's legend. */
async function expectOffer(page: Page, { event, title, ...shown }: Shown): Promise<void> {
  await page.goto('/');
  // A card that waits for its sale has a second link, Avvisami.
  const card = page.getByRole('link').filter({ has: page.getByRole('heading', { name: title }) });
  await see(card).toContainText(`da ${formatEuro(shown.lowest)}`);

  await page.goto(`/event/${event}`);
  const prices = page.getByRole('region', { name: 'Prezzi' });
  await see(prices).toContainText(`Intero ${formatEuro(shown.full)}`);
  await see(prices).toContainText(`Ridotto ${formatEuro(shown.reduced)}`);
  await see(
    prices.getByText(`Ogni prezzo è quello che paghi per un biglietto, ${feeIn(shown.fee)}.`),
  ).toHaveCount(shown.fee > 0 ? 1 : 0);
  const { offers } = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').textContent())!,
  ) as { offers: { category: string; price: string }[] };
  expect(offers.filter(({ category }) => category === 'Platea').map(({ price }) => price)).toEqual(
    [shown.full, shown.reduced].map((cents) => (cents / 100).toFixed(2)),
  );
  await see(
    page.getByRole('list', { name: 'Legenda' }).getByRole('listitem').first(),
  ).toContainText(formatEuro(shown.reduced));
}

/** The chart's question for a ticket type, the chosen lines, the sum, the bar and its button, and the hosted page. */
async function expectWayToPay(page: Page, { full, fee }: Shown): Promise<void> {
  const sum = formatEuro(2 * full);
  await openRow(page, 'C');
  for (const seat of ['1', '2']) {
    await page.getByRole('button', { name: new RegExp(`Fila C, posto ${seat},.*libero`) }).click();
    const choice = page.getByRole('dialog').getByRole('button', { name: /Intero/ });
    await see(choice).toContainText(formatEuro(full));
    await choice.click();
  }
  const chosen = page.getByRole('region', { name: 'I tuoi posti' });
  await see(chosen.getByRole('listitem')).toHaveText([
    new RegExp(`${formatEuro(full)}$`),
    new RegExp(`${formatEuro(full)}$`),
  ]);
  await see(chosen).toContainText(`Totale (IVA inclusa) ${sum}`);
  await see(chosen.getByText(feeIn(2 * fee))).toHaveCount(1);
  await see(chosen.getByText(`ordine con obbligo di pagare ${sum}`)).toBeVisible();
  await see(page.getByRole('status', { name: 'Posti scelti' })).toHaveText(`2 posti · ${sum}`);
  await see(page.getByRole('button', { name: `Paga ${sum}` })).toBeVisible();
  await pressPay(page);
  await see(page.getByRole('button', { name: `Paga ${sum}` })).toBeVisible();
  await see(page.getByText(feeIn(2 * fee))).toHaveCount(1);
}

/** The order page, its tickets, the mail and the PDF. */
async function expectBought(server: TestServer, page: Page, { full, fee }: Shown): Promise<void> {
  await fillCard(page);
  await page.getByRole('button', { name: /^Paga/ }).click();
  await page.waitForURL(/\/orders\//, within);
  const cards = page.getByRole('listitem').filter({ hasText: 'Ogni codice vale' });
  await see(cards).toHaveCount(2);
  for (const card of await cards.all()) {
    await see(card).toContainText(`Intero · ${formatEuro(full)}`);
    await see(card.getByText(feeIn(fee))).toHaveCount(1);
  }
  const facts = page.getByRole('region', { name: /Concerto di Natale/ });
  await see(facts).toContainText(`Totale (IVA inclusa) ${formatEuro(2 * full)}`);
  await see(facts.getByRole('listitem').filter({ hasText: 'posto 1' })).toContainText(
    formatEuro(full),
  );

  const link_key = /orders\/([\w-]{22})/.exec(page.url())![1]!;
  const order_id = await recordOf(server, { order_id: link_key });
  await server.runDue();
  const total = `otale ${formatEuro(2 * full)} (${feeIn(2 * fee)}) ·`;
  expect((await mailsOf(server, order_id)).map(({ text }) => text)).toEqual([
    expect.stringContaining(`T${total}`),
  ]);
  const pdf = await fetch(`${server.url}/api/orders/${link_key}/tickets.pdf`);
  const paper = readPdf(Buffer.from(await pdf.arrayBuffer()));
  const text = paper.pages[0]!.lines.join(' ');
  expect(text).toContain(`Intero · ${formatEuro(full)} (${feeIn(fee)})`);
  expect(text).toContain(`t${total}`);
}

test('from the home page to the ticket everybody names the same price, with a fee and without one', async (at) => {
  const { page, server } = at;
  await expectOffer(page, withoutFee);
  await setPolicy(server, { sales_opens_at: server.clock.now() + 3_600_000 }, withFee.event);
  await expectOffer(page, withFee);
  await setPolicy(server, { sales_opens_at: null }, withFee.event);
  await expectOffer(page, withFee);
  await expectWayToPay(page, withFee);
  await expectBought(server, page, withFee);
});

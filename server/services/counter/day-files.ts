/** A signed closing of a day on A4, for signing and for the bank's bearer, and as a table. */
import { makeShiftPdf } from '#server/adapters/shift-sheet.ts';
import { denominations, expectedCash } from '#server/domain/counter/counter.ts';
import type { ShiftOfDay } from '#server/domain/counter/day-sheet.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { noSealShort } from '#server/domain/site/fiscal-words.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatDate, formatListDate } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { csvFile, type CsvFormat } from '#server/services/kit/csv-file.ts';
import { fileName, type Document } from '#server/services/order/documents.ts';
import { moneyWriter } from '#server/services/papers/invoice-file.ts';
import { organiserOf } from '#server/services/site/site.ts';
import { signedDay, type SignedSheet } from './days.ts';

interface Which {
  day: string;
  nth: number;
}

interface Line {
  part: string;
  text: string;
  cents: number;
}

/** @throws Refusal day_sheet_not_found */
export async function dayPdf(ctx: Ctx, { day, nth }: Which): Promise<Document> {
  const sheet = await signedDay(ctx, day, nth);
  const { name: organiser } = await organiserOf(ctx);
  const title = `Chiusura di giornata – ${formatDate(day)}`;
  const parts = Map.groupBy(linesOf(sheet), ({ part }) => part);
  const content = await makeShiftPdf({
    title,
    organiser,
    created_at: ctx.now(),
    head: headOf(sheet),
    tables: [...parts].map(([title, lines]) => ({
      title,
      rows: lines.map(({ text, cents }) => ({ text, amount: formatEuro(cents) })),
    })),
    signatures: ['Chi chiude', 'Ricevuto per la banca'],
    footer: `Prospetto interno – non valido ai fini fiscali. ${noSealShort}`,
  });
  const name = fileName(`${title} – foglio ${nth}`);
  return { name: `${name}.pdf`, type: 'application/pdf', content };
}

/** @throws Refusal day_sheet_not_found */
export async function dayCsv(
  ctx: Ctx,
  { day, nth, format = 'excel' }: Which & { format?: CsvFormat | undefined },
) {
  const sheet = await signedDay(ctx, day, nth);
  const money = moneyWriter(format);
  return csvFile(ctx, {
    name: `chiusura-${day}-${nth}`,
    headings: ['Giorno', 'Foglio', 'Parte', 'Voce', 'Importo'],
    lines: linesOf(sheet).map(({ part, text, cents }) => [day, nth, part, text, money(cents)]),
    format,
  });
}

function headOf(sheet: SignedSheet): string[] {
  const { nth, corrects, signed_at, signed_by, handed_to, difference_reason } = sheet;
  return [
    corrects === null ? `Foglio ${nth}` : `Foglio ${nth}: corregge il foglio ${corrects}`,
    `Contato da ${isolate(sheet.counted_by)} il ${formatListDate(sheet.counted_at)}`,
    `Firmato da ${isolate(signed_by)} il ${formatListDate(signed_at)}`,
    `Consegnato per la banca a ${isolate(handed_to)}`,
    ...(difference_reason === null ? [] : [`Perché non torna: ${isolate(difference_reason)}`]),
  ];
}

function linesOf(sheet: SignedSheet): Line[] {
  const { figures, reckoning } = sheet;
  const { cash } = reckoning;
  const part = (title: string, rows: readonly (readonly [string, number])[]) =>
    rows.map(([text, cents]) => ({ part: title, text, cents }));
  return [
    ...part('Contante per la banca', [
      ['Atteso', cash.expected_cents],
      ['Secondo la conta dei turni', cash.found_cents],
      ['Contato per la banca', cash.banked_cents],
      ['Differenza', cash.difference_cents],
      ['Resta nelle casse', cash.left_cents],
    ]),
    ...part(
      'Conta del contante',
      denominations.flatMap((value) => {
        const count = sheet.pieces[String(value)] ?? 0;
        return count === 0 ? [] : [[`${count} × ${formatEuro(value)}`, count * value] as const];
      }),
    ),
    ...figures.shifts.flatMap((shift) => part(titleOf(shift), shiftRows(sheet, shift))),
    ...part('Fuori dalle casse', outsideRows(sheet)),
    ...part('Online (Stripe)', [
      [`Incassi (${figures.online.payments})`, figures.online.taken_cents],
      [`Rimborsi (${figures.online.refunds})`, -figures.online.given_cents],
    ]),
    ...part('Incasso del giorno, tolti i rimborsi', [
      ['Contanti', reckoning.takings.cash_cents],
      ['POS', reckoning.takings.pos_cents],
      ['Fuori dalle casse', reckoning.takings.outside_cents],
      ['Online', reckoning.takings.online_cents],
      ['Totale', reckoning.takings.total_cents],
    ]),
  ];
}

function titleOf({ till_name, user_name, opened_at }: ShiftOfDay): string {
  return `${isolate(till_name)}, ${isolate(user_name)}, dal ${formatListDate(opened_at)}`;
}

function shiftRows({ reckoning }: SignedSheet, shift: ShiftOfDay) {
  const terminal = reckoning.terminals.find(({ shift_id }) => shift_id === shift.shift_id);
  const expected = expectedCash(shift);
  return [
    ['Fondo iniziale', shift.float_cents],
    ['Vendite in contanti', shift.cash_sales_cents],
    ['Rimborsi in contanti', -shift.cash_refunds_cents],
    ['Versamenti', shift.moved_in_cents],
    ['Prelievi', -shift.moved_out_cents],
    ['Contante atteso', expected],
    ['Contante contato', shift.counted_cents],
    ['Differenza', shift.counted_cents - expected],
    ['POS secondo le vendite', terminal?.expected_cents ?? 0],
    ['POS secondo il terminale', terminal?.typed_cents ?? 0],
    ['Differenza del POS', terminal?.difference_cents ?? 0],
  ] as const;
}

function outsideRows({ figures }: SignedSheet) {
  return figures.outside.flatMap(({ method, taken_cents, given_cents }) => [
    [`Incassi, ${methodName(method).toLowerCase()}`, taken_cents] as const,
    [`Rimborsi, ${methodName(method).toLowerCase()}`, -given_cents] as const,
  ]);
}

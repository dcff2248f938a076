/** The reading of a shift as a PDF, for signing and filing. */
import { makeShiftPdf, type PaperRow } from '#server/adapters/shift-sheet.ts';
import { sayDay } from '#server/domain/book/heads.ts';
import { denominations } from '#server/domain/counter/counter.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { noSealShort } from '#server/domain/site/fiscal-words.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatEuro } from '#server/domain/price/money.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import type { Document } from '#server/services/order/documents.ts';
import { publishedDays } from '#server/services/book/days.ts';
import type { Ctx } from '#server/services/context.ts';
import { organiserOf } from '#server/services/site/site.ts';
import type { Seller } from './sell.ts';
import { shiftFor } from './shifts.ts';

type Shift = Awaited<ReturnType<typeof shiftFor>>;

/** @throws Refusal shift_not_found */
export async function shiftPdf(ctx: Ctx, reader: Seller, id: string): Promise<Document> {
  const shift = await shiftFor(ctx, reader, id);
  const organiser = await organiserOf(ctx);
  const day = formatListDate(shift.opened_at);
  const content = await makeShiftPdf({
    title: `Turno di cassa – ${shift.till_name}`,
    organiser: organiser.name,
    created_at: ctx.now(),
    head: headOf(shift),
    tables: [
      drawerOf(shift),
      moneyOf(shift),
      soldOf(shift),
      giftsOf(shift),
      piecesOf(shift),
      headsOf(await publishedDays(ctx, shownHeads)),
    ].filter(({ rows }) => rows.length > 0),
    footer: `Prospetto interno – non valido ai fini fiscali. ${noSealShort}`,
  });
  const words = ['Turno', shift.till_name, day.replace(/[^\d]+/g, '-')].join(' ');
  const name = `${words}.pdf`;
  return { name, type: 'application/pdf', content };
}

function headOf(shift: Shift): string[] {
  const closed =
    shift.closed_at === null
      ? 'Turno ancora aperto: lettura X'
      : `Chiuso il ${formatListDate(shift.closed_at)}`;
  return [`Operatore: ${shift.user_name}`, `Aperto il ${formatListDate(shift.opened_at)}`, closed];
}

interface Table {
  title: string;
  rows: PaperRow[];
}

function drawerOf({ float_cents, report, ...shift }: Shift): Table {
  const moves = report.moves.map(({ amount_cents, reason }) =>
    row(`${amount_cents > 0 ? 'Versamento' : 'Prelievo'}: ${reason}`, amount_cents),
  );
  const counted =
    shift.counted_cents === null
      ? []
      : [
          row('Contante contato', shift.counted_cents),
          row(
            shift.difference_reason === null
              ? 'Differenza'
              : `Differenza: ${shift.difference_reason}`,
            shift.counted_cents - (report.expected_cents ?? 0),
          ),
        ];
  return {
    title: 'Cassetto',
    rows: [
      row('Fondo iniziale', float_cents),
      ...known('Vendite in contanti', report.cash_sales_cents),
      ...known('Rimborsi in contanti', report.cash_refunds_cents, -1),
      ...moves,
      ...known('Contante atteso', report.expected_cents),
      ...counted,
    ],
  };
}

function moneyOf({ report }: Shift): Table {
  const lines = (sums: Shift['report']['payments'], word: string, sign: 1 | -1) =>
    sums.map(({ method, count, amount_cents }) =>
      row(`${word} ${methodName(method).toLowerCase()} (${count})`, sign * amount_cents),
    );
  return {
    title: 'Per tipo di pagamento',
    rows: [...lines(report.payments, 'Incassi', 1), ...lines(report.refunds, 'Rimborsi', -1)],
  };
}

function soldOf({ report }: Shift): Table {
  const rows = report.sold
    .filter(({ gift }) => !gift)
    .map(({ event_title, starts_at, type_label, tickets, amount_cents }) => ({
      text: `${isolate(event_title)}, ${formatListDate(starts_at)} – ${isolate(type_label)} (${tickets})`,
      amount: amount_cents === null ? '' : formatEuro(amount_cents),
    }));
  return { title: 'Per evento e tipo di biglietto', rows };
}

function giftsOf({ report }: Shift): Table {
  const rows = report.gifts.map(({ number, event_title, gift_reason, tickets }) => ({
    text: `${number}, ${isolate(event_title)}: ${isolate(gift_reason)}`,
    amount: String(tickets),
  }));
  return { title: 'Omaggi', rows };
}

function piecesOf({ pieces }: Shift): Table {
  const rows = denominations.flatMap((value) => {
    const count = pieces?.[String(value)] ?? 0;
    return count === 0 ? [] : [row(`${count} × ${formatEuro(value)}`, count * value)];
  });
  return { title: 'Conta del contante', rows };
}

/** How many daily heads are printed; with them the filed paper shows a later change of a row. */
const shownHeads = 2;

function headsOf(days: Awaited<ReturnType<typeof publishedDays>>): Table {
  const rows = days.map(({ day, head }) => ({ text: `${sayDay(day)}: ${head}`, amount: '' }));
  return { title: 'Impronte del libro', rows };
}

/** No row for a sum that a cashier is not told before the count (RULES K3). */
function known(text: string, cents: number | null, sign: 1 | -1 = 1): PaperRow[] {
  return cents === null ? [] : [row(text, sign * cents)];
}

function row(text: string, cents: number): PaperRow {
  return { text, amount: formatEuro(cents) };
}

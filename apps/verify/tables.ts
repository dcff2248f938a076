/** The tables of a book, computed only from its rows. */
import type { BookRow, FactOf, MethodSum } from '#server/domain/book/rows.ts';
import type { BookTotals } from '#server/domain/book/totals.ts';
import { formatListDate } from '#server/domain/time/dates.ts';
import { methodName } from '#server/domain/order/order-words.ts';
import { make, makeTable, type Cell } from './dom.ts';
import { formatEuro } from '#server/domain/price/money.ts';

const word = (text: string): Cell => ({ text });
const euro = (cents: number): Cell => ({ text: formatEuro(cents), number: true });
const count = (n: number): Cell => ({ text: n.toLocaleString('it'), number: true });
const time = (at: string): Cell => ({ text: formatListDate(at) });
const numberHead = (text: string): Cell => ({ text, number: true });

export function tablesOf(rows: readonly BookRow[], totals: BookTotals): HTMLElement[] {
  return [
    ...section('Totali', totalsTable(totals)),
    ...section('Biglietti per ordine di posto e tipo', ticketTable(totals)),
    ...section('Incassi per tipo di pagamento', methodTable('Incassi', totals.paid)),
    ...section('Rimborsi per tipo di pagamento', methodTable('Rimborsi', totals.given_back)),
    ...section('Accrediti di Stripe', payoutTable(totals)),
    ...section('Turni di cassa', shiftTable(rows)),
    ...section('Righe', ...longTables(rows)),
  ];
}

function section(title: string, ...content: HTMLElement[]): HTMLElement[] {
  return [make('h2', {}, title), ...content];
}

function totalsTable(totals: BookTotals): HTMLElement {
  const rows: Cell[][] = [
    [word('Ordini'), count(totals.orders)],
    [word('Biglietti emessi'), count(totals.issued)],
    [word('Biglietti sostituiti o spostati'), count(totals.revised)],
    [word('Biglietti annullati'), count(totals.voided)],
    [word('Biglietti rimborsati'), count(totals.refunded)],
    [word('Biglietti validi'), count(totals.valid)],
    [word('Valore dei biglietti validi'), euro(totals.valid_cents)],
    [word('Prevendita e commissioni dei biglietti validi'), euro(totals.valid_fee_cents)],
    [word('Incassato'), euro(totals.paid_cents)],
    [word('Rimborsato'), euro(totals.refunded_cents)],
    [word('Rimborsi in corso'), euro(totals.refunding_cents)],
    [word('Commissioni di Stripe'), euro(totals.stripe_fee_cents)],
    [word('Resta, tolti rimborsi e commissioni'), euro(totals.kept_cents)],
    [word('Accreditato in banca'), euro(totals.paid_out_cents)],
    [word('In contestazione o perso'), euro(totals.disputed_cents)],
    [word('Ingressi'), count(totals.entries)],
    [word('Uscite'), count(totals.exits)],
    [word('Biglietti entrati almeno una volta'), count(totals.entered)],
    [word('Turni di cassa chiusi'), count(totals.shifts)],
    [word('Differenze di cassa'), euro(totals.shift_difference_cents)],
  ];
  return makeTable('Totali', [word('Voce'), numberHead('Totale')], rows);
}

function ticketTable({ tickets }: BookTotals): HTMLElement {
  const heads = [
    word('Ordine di posto'),
    word('Tipo'),
    numberHead('Prezzo'),
    numberHead('Validi'),
    numberHead('Non più validi'),
    numberHead('Importo'),
  ];
  const rows = tickets.map(({ category, type, price_cents, valid, ended, cents }) => [
    word(category),
    word(type),
    euro(price_cents),
    count(valid),
    count(ended),
    euro(cents),
  ]);
  return makeTable('Biglietti per ordine di posto e tipo', heads, rows);
}

function methodTable(title: string, sums: readonly MethodSum[]): HTMLElement {
  const rows = sums.map(({ method, cents }) => [word(methodName(method)), euro(cents)]);
  return makeTable(title, [word('Tipo'), numberHead('Importo')], rows);
}

function payoutTable({ paid_out }: BookTotals): HTMLElement {
  const heads = [word('Accredito'), numberHead('Righe'), numberHead('Netto')];
  const rows = paid_out.map(({ payout, lines, net_cents }) => [
    word(payout),
    count(lines),
    euro(net_cents),
  ]);
  return makeTable('Accrediti di Stripe', heads, rows);
}

function of<K extends BookRow['kind']>(
  rows: readonly BookRow[],
  kind: K,
): (FactOf<K> & { n: number; at: string })[] {
  return rows.filter((row) => row.kind === kind) as never;
}

function shiftTable(rows: readonly BookRow[]): HTMLElement {
  const heads = ['Cassa', 'Aperto', 'Chiuso'].map(word);
  const numbers = ['Incassi', 'Rimborsi', 'Atteso', 'Contato', 'Differenza'].map(numberHead);
  const sum = (sums: readonly MethodSum[]) => sums.reduce((all, { cents }) => all + cents, 0);
  const cells = of(rows, 'shift').map((shift) => [
    word(shift.till),
    time(shift.opened_at),
    time(shift.closed_at),
    euro(sum(shift.taken)),
    euro(sum(shift.given_back)),
    euro(shift.expected_cents),
    euro(shift.counted_cents),
    euro(shift.counted_cents - shift.expected_cents),
  ]);
  return makeTable('Turni di cassa', [...heads, ...numbers], cells);
}

/** Tables of all rows, folded at first. */
function longTables(rows: readonly BookRow[]): HTMLElement[] {
  return [
    long('Biglietti', ['Ordine', 'Posto', 'Ordine di posto', 'Tipo'], of(rows, 'ticket'), (row) => [
      word(row.order),
      word(row.seat),
      word(row.category),
      word(row.type),
      euro(row.price_cents),
    ]),
    long('Pagamenti', ['Ordine', 'Tipo'], of(rows, 'payment'), (row) => [
      word(row.order),
      word(methodName(row.method ?? row.means)),
      euro(row.cents),
    ]),
    long('Rimborsi', ['Ordine', 'Stato'], of(rows, 'refund'), (row) => [
      word(row.order),
      word(refundState(rows, row)),
      euro(row.cents),
    ]),
    long('Commissioni', ['Pagamento'], of(rows, 'fee'), (row) => [
      word(`riga ${row.payment}`),
      euro(row.cents),
    ]),
    long('Righe degli accrediti', ['Di', 'Accredito'], of(rows, 'payout_line'), (row) => [
      word(`riga ${row.of}`),
      word(row.payout),
      euro(row.net_cents),
    ]),
    long('Passaggi', ['Posto', 'Verso', 'Varco'], of(rows, 'admission'), (row) => [
      word(row.place),
      word(row.direction === 'in' ? 'Ingresso' : 'Uscita'),
      word(row.gate ?? ''),
      word(row.counts ? '' : 'annullato'),
    ]),
  ];
}

function long<R extends { n: number; at: string }>(
  title: string,
  heads: readonly string[],
  rows: readonly R[],
  cellsOf: (row: R) => Cell[],
): HTMLElement {
  const details = make('details', {}, make('summary', {}, `${title}: ${rows.length}`));
  const fill = () => {
    const table = rows.map((row) => [count(row.n), time(row.at), ...cellsOf(row)]);
    const wide = Math.max(heads.length + 2, table[0]?.length ?? 0);
    const all = [numberHead('Riga'), word('Quando'), ...heads.map(word)];
    while (all.length < wide) all.push(numberHead(title === 'Passaggi' ? 'Nota' : 'Importo'));
    details.append(makeTable(title, all, table));
  };
  details.addEventListener('toggle', fill, { once: true });
  return details;
}

const stateNames: Record<string, string> = {
  requested: 'chiesto',
  pending: 'in corso',
  requires_action: 'in attesa del compratore',
  succeeded: 'riuscito',
  failed: 'non riuscito',
  canceled: 'annullato',
};

function refundState(rows: readonly BookRow[], refund: { n: number; state: string }): string {
  const newest = of(rows, 'refund_became').findLast((row) => row.refund === refund.n);
  const state = newest?.state ?? refund.state;
  return stateNames[state] ?? state;
}

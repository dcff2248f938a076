/** The summary for the accountant as tables of words; paper and file have the same rows. */
import { formatDate, formatListDate } from '#server/domain/time/dates.ts';
import { moneyWays, wayNames, type MoneyWay } from '#server/domain/papers/summary.ts';
import { vatWords } from '#server/domain/papers/vat.ts';
import { isolate } from '#server/domain/text/direction.ts';
import type { SheetColumn, SheetTable } from '#server/adapters/table-sheet.ts';
import type { EventSums, Sums, Summary } from './summary.ts';

export type Money = (cents: number) => string;

/** A day in words, such as 26/11/2026. */
export function dayWords(day: string): string {
  return day.split('-').toReversed().join('/');
}

export function spanWords({ from, to }: Pick<Summary, 'from' | 'to'>): string {
  return from === to ? formatDate(from) : `dal ${formatDate(from)} al ${formatDate(to)}`;
}

const number = (name: string, share = 1.15): SheetColumn => ({ name, share, number: true });

/** The columns of a summary: ways of payment that have a sum, and the commission if any. */
export interface ColumnsUsed {
  ways: MoneyWay[];
  service: boolean;
}

export function columnsUsed({ total, rows }: Summary): ColumnsUsed {
  return {
    ways: moneyWays.filter((way) => total.taken[way] !== 0 || total.given[way] !== 0),
    service: rows.some(({ service_cents }) => service_cents !== 0),
  };
}

const sums = [
  ['Incassato', 'gross_cents'],
  ['Rimborsi', 'refunded_cents'],
  ['Netto', 'net_cents'],
  // A column with a long heading is wider.
  ['Biglietti imponibile', 'tickets_net_cents', 1.3],
  ['Biglietti IVA', 'tickets_vat_cents'],
  ['Prevendita imponibile', 'fees_net_cents', 1.35],
  ['Prevendita IVA', 'fees_vat_cents', 1.35],
] as const;
const serviceSums = [
  ['Commissione imponibile', 'service_net_cents', 1.4],
  ['Commissione IVA', 'service_vat_cents', 1.4],
] as const;

const sumsIn = ({ service }: ColumnsUsed) => (service ? [...sums, ...serviceSums] : sums);

export function sumColumns(used: ColumnsUsed): SheetColumn[] {
  return [
    ...used.ways.map((way) => number(wayNames[way])),
    ...sumsIn(used).map(([name, , share]) => number(name, share)),
  ];
}

export function sumCells(row: Sums, used: ColumnsUsed, money: Money): string[] {
  return [
    ...used.ways.map((way) => money(row.taken[way])),
    ...sumsIn(used).map(([, name]) => money(row[name])),
  ];
}

function eventWords({ event }: EventSums): string {
  return `${isolate(event.title)}, ${formatListDate(event.starts_at)}`;
}

export function summaryTables(summary: Summary, money: Money): SheetTable[] {
  const used = columnsUsed(summary);
  const { ways } = used;
  const columns = sumColumns(used);
  const total = sumCells(summary.total, used, money);
  const note =
    'Sotto ogni tipo di pagamento c’è quanto è entrato; i rimborsi sono sottratti nel netto. L’IVA è scorporata riga per riga, arrotondata al centesimo; un rimborso ne toglie la sua parte: i totali sono somme di righe.';
  return [
    {
      title: 'Per evento',
      columns: [{ name: 'Evento', share: 4 }, ...columns],
      rows: summary.events.map((row) => [eventWords(row), ...sumCells(row, used, money)]),
      totals: [['Totale', ...total]],
      note,
    },
    {
      title: 'Per giorno ed evento',
      columns: [{ name: 'Giorno', share: 1.2 }, { name: 'Evento', share: 3 }, ...columns],
      rows: summary.rows.map((row) => [
        dayWords(row.day),
        eventWords(row),
        ...sumCells(row, used, money),
      ]),
      totals: [['Totale', '', ...total]],
    },
    rateTable(summary.rates, money),
    {
      title: 'Per tipo di pagamento',
      columns: [
        { name: 'Tipo', share: 2 },
        number('Incassato'),
        number('Rimborsato'),
        number('Netto'),
      ],
      rows: ways.map((way) => {
        const [taken, given] = [summary.total.taken[way], summary.total.given[way]];
        return [wayNames[way], money(taken), money(given), money(taken - given)];
      }),
      totals: [
        [
          'Totale',
          money(summary.total.gross_cents),
          money(summary.total.refunded_cents),
          money(summary.total.net_cents),
        ],
      ],
    },
    ...leftTables(summary, money),
  ];
}

/** What was left to the house, or kept, is no taking of tickets and bears no VAT (RULES E5, K5). */
function leftTables({ total }: Summary, money: Money): SheetTable[] {
  const table = (title: string, words: string, way: 'gift' | 'kept'): SheetTable[] => {
    const cents = total.given[way] - total.taken[way];
    if (cents === 0) return [];
    const columns = [{ name: 'Che cosa', share: 4 }, number('Importo')];
    return [{ title, columns, rows: [[words, money(cents)]], totals: [] }];
  };
  return [
    ...table('Liberalità', 'Importi lasciati al teatro, fuori campo IVA', 'gift'),
    ...table('Acconti trattenuti', 'Di prenotazioni non pagate, fuori campo IVA', 'kept'),
  ];
}

export function rateTable(rates: Summary['rates'], money: Money): SheetTable {
  const sum = (name: 'gross_cents' | 'net_cents' | 'vat_cents') =>
    money(rates.reduce((total, rate) => total + rate[name], 0));
  return {
    title: 'IVA per aliquota',
    columns: [
      { name: 'Aliquota', share: 2 },
      number('Lordo'),
      number('Imponibile'),
      number('Imposta'),
    ],
    rows: rates.map(({ percent, gross_cents, net_cents, vat_cents }) => [
      vatWords(percent),
      money(gross_cents),
      money(net_cents),
      money(vat_cents),
    ]),
    totals: [['Totale', sum('gross_cents'), sum('net_cents'), sum('vat_cents')]],
  };
}

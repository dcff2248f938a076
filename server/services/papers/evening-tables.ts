/** The summary of an event as tables of words; paper and file have the same rows. */
import type { SheetColumn, SheetTable } from '#server/adapters/table-sheet.ts';
import { entryNames } from '#server/domain/papers/summary.ts';
import type { Evening, EveningLine } from './evening.ts';
import { rateTable, type Money } from './summary-tables.ts';

const text = (name: string, share: number): SheetColumn => ({ name, share });
const number = (name: string, share = 1.2): SheetColumn => ({ name, share, number: true });

const columnsFor = (service: boolean): SheetColumn[] => [
  text('Ordine di posti', 2.4),
  number('Posti', 0.8),
  text('Titolo', 1.2),
  text('Tipo', 2.2),
  number('Prezzo'),
  number(service ? 'Aggiunte' : 'Prevendita'),
  number('Numero', 0.9),
  number('Biglietti'),
  number('Imponibile'),
  number('IVA'),
  number('Diritti'),
  number('Imponibile'),
  number('IVA'),
  ...(service ? [number('Commissione', 1.4), number('Imponibile'), number('IVA')] : []),
];

/** Whether any of these tickets bore a service commission. */
export function hasService(lines: readonly EveningLine[]): boolean {
  return lines.some(({ service_cents }) => service_cents !== 0);
}

/** How amounts are written, and whether the commission has columns. */
interface Writing {
  money: Money;
  service: boolean;
}

type Totals = Evening['total'];

function moneyCells(line: Omit<Totals, 'tickets'>, { money, service }: Writing): string[] {
  return [
    line.tickets_cents,
    line.tickets_net_cents,
    line.tickets_vat_cents,
    line.fees_cents,
    line.fees_net_cents,
    line.fees_vat_cents,
    ...(service ? [line.service_cents, line.service_net_cents, line.service_vat_cents] : []),
  ].map((cents) => money(cents));
}

export function lineCells(line: EveningLine, writing: Writing): string[] {
  const { money } = writing;
  return [
    entryNames[line.kind],
    line.type_label,
    money(line.price_cents),
    money(line.fee_cents),
    String(line.tickets),
    ...moneyCells(line, writing),
  ];
}

function totalCells(totals: Totals, places: string, writing: Writing): string[] {
  return ['Totale', places, '', '', '', '', String(totals.tickets), ...moneyCells(totals, writing)];
}

export function eveningTables(evening: Evening, money: Money): SheetTable[] {
  const sold = evening.categories.flatMap(({ lines }) => lines);
  const service = hasService([...sold, ...evening.annulled]);
  const writing = { money, service };
  const eveningColumns = columnsFor(service);
  const rows = evening.categories.flatMap(({ category, places, lines }) => {
    if (lines.length === 0) return [[category, String(places), '–', '–', '', '', '0']];
    return lines.map((line, at) => [
      category,
      at === 0 ? String(places) : '',
      ...lineCells(line, writing),
    ]);
  });
  return [
    {
      title: 'Titoli per ordine di posti',
      columns: eveningColumns,
      rows,
      totals: [totalCells(evening.total, String(evening.places), writing)],
      note: '«Diritti» sono i diritti di prevendita, «Aggiunte» quelli e la commissione di un biglietto. «Intero» è il primo tipo del listino di un settore, «Ridotto» ogni altro. L’IVA è scorporata riga per riga, arrotondata al centesimo: i totali sono somme di righe.',
    },
    {
      title: 'Annullati e rimborsati',
      columns: eveningColumns,
      rows: evening.annulled.map((line) => [line.category, '', ...lineCells(line, writing)]),
      totals:
        evening.annulled.length === 0
          ? [['Nessuno', ...Array.from({ length: eveningColumns.length - 1 }, () => '')]]
          : [totalCells(evening.annulled_total, '', writing)],
    },
    rateTable(evening.rates, money),
  ];
}

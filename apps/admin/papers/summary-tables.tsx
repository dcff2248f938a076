/** The accountant's summary on the screen: by event, by VAT rate, by kind of payment. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readSummary } from '#server/contract/summaries.ts';
import { moneyWays, wayNames } from '#server/domain/papers/summary.ts';
import { vatWords } from '#server/domain/papers/vat.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { SecondLine, WideTable } from '#apps/admin/kit/list/table.tsx';
import { Empty } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Summary = ReplyOf<typeof readSummary>;
type Sums = Summary['total'];

export function SummaryTables({ summary }: { summary: Summary }) {
  if (summary.rows.length === 0)
    return (
      <Empty icon="wallet" title="In questi giorni non è passato denaro.">
        <p>Scegli un altro periodo.</p>
      </Empty>
    );
  const columns = columnsOf(summary);
  return (
    <>
      <Panel wide aria-labelledby="by-event">
        <h2 id="by-event">Per evento</h2>
        <WideTable
          name="Per evento"
          columns={['Evento', ...columns.map(([name]) => ({ number: name }))]}
        >
          <tbody>
            {summary.events.map((row) => (
              <tr key={row.event.id}>
                <th scope="row">
                  {row.event.title}
                  <SecondLine>{formatListDate(row.event.starts_at)}</SecondLine>
                </th>
                <SumCells columns={columns} sums={row} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Totale</th>
              <SumCells columns={columns} sums={summary.total} />
            </tr>
          </tfoot>
        </WideTable>
        <p className={textStyles.soft}>
          L’IVA è scorporata giorno per giorno ed evento per evento, arrotondata al centesimo: i
          totali sono somme di righe. I giorni sono nel PDF e nel CSV.
        </p>
      </Panel>
      <Rates rates={summary.rates} />
      <Ways total={summary.total} />
    </>
  );
}

type Column = readonly [name: string, sum: Exclude<keyof Sums, 'taken' | 'given'>];

const always: readonly Column[] = [
  ['Incassato', 'gross_cents'],
  ['Rimborsi', 'refunded_cents'],
  ['Netto', 'net_cents'],
  ['Biglietti imponibile', 'tickets_net_cents'],
  ['Biglietti IVA', 'tickets_vat_cents'],
  ['Prevendita imponibile', 'fees_net_cents'],
  ['Prevendita IVA', 'fees_vat_cents'],
];
const ofService: readonly Column[] = [
  ['Commissione imponibile', 'service_net_cents'],
  ['Commissione IVA', 'service_vat_cents'],
];

/** The commission has columns only where there is one. */
function columnsOf({ rows }: Summary): readonly Column[] {
  return rows.some(({ service_cents }) => service_cents !== 0) ? [...always, ...ofService] : always;
}

function SumCells({ columns, sums }: { columns: readonly Column[]; sums: Sums }) {
  return columns.map(([name, sum]) => (
    <td key={name} className={tableStyles.number}>
      {formatEuro(sums[sum])}
    </td>
  ));
}

export function Rates({ rates }: { rates: Summary['rates'] }) {
  if (rates.length === 0) return null;
  return (
    <Panel aria-labelledby="by-rate">
      <h2 id="by-rate">IVA per aliquota</h2>
      <WideTable
        name="IVA per aliquota"
        columns={['Aliquota', { number: 'Lordo' }, { number: 'Imponibile' }, { number: 'Imposta' }]}
      >
        <tbody>
          {rates.map(({ percent, gross_cents, net_cents, vat_cents }) => (
            <tr key={percent}>
              <th scope="row">{vatWords(percent)}</th>
              <td className={tableStyles.number}>{formatEuro(gross_cents)}</td>
              <td className={tableStyles.number}>{formatEuro(net_cents)}</td>
              <td className={tableStyles.number}>{formatEuro(vat_cents)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </Panel>
  );
}

function Ways({ total }: { total: Sums }) {
  const used = moneyWays.filter((way) => total.taken[way] !== 0 || total.given[way] !== 0);
  const left = total.given.gift - total.taken.gift;
  const kept = total.given.kept - total.taken.kept;
  return (
    <Panel aria-labelledby="by-way">
      <h2 id="by-way">Per tipo di pagamento</h2>
      <WideTable
        name="Per tipo di pagamento"
        columns={['Tipo', { number: 'Incassato' }, { number: 'Rimborsato' }, { number: 'Netto' }]}
      >
        <tbody>
          {used.map((way) => (
            <tr key={way}>
              <th scope="row">{wayNames[way]}</th>
              <td className={tableStyles.number}>{formatEuro(total.taken[way])}</td>
              <td className={tableStyles.number}>{formatEuro(total.given[way])}</td>
              <td className={tableStyles.number}>
                {formatEuro(total.taken[way] - total.given[way])}
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      {left !== 0 && (
        <p>
          <b>Liberalità: {formatEuro(left)}</b> lasciati al teatro dagli acquirenti di serate
          annullate. Escono dagli incassi dei biglietti e sono fuori campo IVA; il denaro resta
          dov’è.
        </p>
      )}
      {kept !== 0 && (
        <p>
          <b>Acconti trattenuti: {formatEuro(kept)}</b> di prenotazioni che nessuno ha finito di
          pagare. Escono dagli incassi dei biglietti e sono fuori campo IVA; il denaro resta dov’è.
        </p>
      )}
    </Panel>
  );
}

/** What was sold under agreements in a span of days, for the invoice to each of them. */
import { addressOf, type ReplyOf } from '#server/contract/endpoint.ts';
import { exportConventions, readConventions } from '#server/contract/summaries.ts';
import { formatEuro, formatListDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { SecondLine, WideTable } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './papers.module.css';

type Statement = ReplyOf<typeof readConventions>['conventions'][number];
type Sums = Statement['total'];

/** Nothing in days without a sale under an agreement. */
export function Conventions({ span }: { span: { from: string; to: string } }) {
  const found = useEndpoint(readConventions, { query: span }, { refetchInterval: 60_000 }).data;
  if (found === undefined || found.conventions.length === 0) return null;
  const file = (format: 'excel' | 'plain') => addressOf(exportConventions, {}, { ...span, format });
  return (
    <Panel wide aria-labelledby="by-convention">
      <h2 id="by-convention">Convenzioni</h2>
      <p className={`${textStyles.links} ${styles.files}`}>
        <a href={file('excel')} download>
          <Icon name="download" size={16} /> CSV (Excel italiano)
        </a>
        <a href={file('plain')} download>
          CSV
        </a>
      </p>
      {found.conventions.map((statement) => (
        <StatementTable key={statement.name} {...statement} />
      ))}
      <p className={textStyles.soft}>
        I biglietti contano nel giorno della vendita, i rimborsi in quello in cui sono stati decisi.
        Gli importi comprendono la prevendita.
      </p>
    </Panel>
  );
}

function StatementTable({ name, events, total }: Statement) {
  return (
    <WideTable
      name={`Convenzione ${name}`}
      columns={[name, ...sumNames.map((column) => ({ number: column }))]}
    >
      <tbody>
        {events.map((row) => (
          <tr key={row.event_id}>
            <th scope="row">
              {row.event_title}
              <SecondLine>{formatListDate(row.starts_at)}</SecondLine>
            </th>
            <SumCells sums={row} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Totale</th>
          <SumCells sums={total} />
        </tr>
      </tfoot>
    </WideTable>
  );
}

const sumNames = ['Biglietti', 'Listino', 'Sconto', 'Altri sconti', 'Pagato', 'Restituito'];

function SumCells({ sums }: { sums: Sums }) {
  const { tickets, list_cents, off_cents, other_off_cents, paid_cents, given_cents } = sums;
  const amounts = [list_cents, off_cents, other_off_cents, paid_cents, given_cents];
  return [tickets.toLocaleString('it-IT'), ...amounts.map(formatEuro)].map((text, at) => (
    <td key={sumNames[at]} className={tableStyles.number}>
      {text}
    </td>
  ));
}

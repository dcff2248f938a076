/** Visits and page speed by our own counters; hidden if nothing is counted. */
import { readVisits } from '#server/contract/rum.ts';
import type { Vital, VisitEvent } from '#server/domain/site/visit.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

const eventNames: Record<VisitEvent, string> = {
  pageview: 'Pagine viste',
  error: 'Errori nelle pagine',
  seats_selected: 'Posti scelti',
  seats_deselected: 'Posti tolti',
  book_button_clicked: 'Clic su «Procedi al pagamento»',
  checkout_session_started: 'Pagamenti avviati',
  description_opened: 'Descrizioni lette',
};
const vitalNames: Record<Vital, string> = {
  LCP: 'Comparsa del contenuto (LCP)',
  INP: 'Risposta ai tocchi (INP)',
  CLS: 'Stabilità della pagina (CLS)',
  FID: 'Primo tocco (FID)',
};

export function Visits() {
  const { data } = useEndpoint(readVisits, {}, { refetchInterval: 30_000 });
  if (data === undefined || (!data.counting && data.visits.every(({ n }) => n === 0))) return null;
  return (
    <Panel aria-labelledby="visits">
      <div className={panelStyles.title}>
        <h2 id="visits">Visite</h2>
        <span className={textStyles.soft}>
          Ultimi {data.days} giorni, senza cookie e senza riconoscere nessuno.
        </span>
      </div>
      <Table columns={['Che cosa', { number: 'Quante volte' }]}>
        <tbody>
          {data.visits.map(({ name, n }) => (
            <tr key={name}>
              <th scope="row">{eventNames[name]}</th>
              <td className={tableStyles.number}>{n.toLocaleString('it-IT')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Table columns={['Velocità', { number: 'Tre visite su quattro entro' }]}>
        <tbody>
          {data.vitals.map((vital) => (
            <tr key={vital.name}>
              <th scope="row">
                {vitalNames[vital.name]}{' '}
                <SecondLine>{formatCount(vital.n, 'misura', 'misure')}</SecondLine>
              </th>
              <td className={tableStyles.number}>
                {tellVital(vital)} {vital.n > 0 && <Judgement vital={vital} />}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function tellVital({ name, n, p75 }: { name: Vital; n: number; p75: number | null }): string {
  if (n === 0) return '–';
  if (p75 === null) return 'oltre la scala';
  return name === 'CLS'
    ? p75.toLocaleString('it-IT')
    : `${p75.toLocaleString('it-IT', { useGrouping: 'always' })} ms`;
}

interface JudgementProps {
  vital: { n: number; good: number; poor: number };
}

/** The rule of web vitals: three of four visits must be good. */
function Judgement({ vital: { n, good, poor } }: JudgementProps) {
  if (good >= n * 0.75) return <StateBadge tone="good" icon="check" word="Buona" />;
  return poor > n * 0.25 ? (
    <StateBadge tone="bad" icon="warning" word="Lenta" />
  ) : (
    <StateBadge tone="warn" icon="clock" word="Da migliorare" />
  );
}

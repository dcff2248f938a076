/** Visits and how fast the pages were, from our own counters; nothing is shown while nothing is counted. */
import { readVisits } from '#server/contract/rum.ts';
import type { Vital, VisitEvent } from '#server/domain/visit.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';

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
    <section className="panel" aria-labelledby="visits">
      <div className="panel-head">
        <h2 id="visits">Visite</h2>
        <span className="soft">
          Ultimi {data.days} giorni, senza cookie e senza riconoscere nessuno.
        </span>
      </div>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Che cosa</th>
            <th scope="col" className="number">
              Quante volte
            </th>
          </tr>
        </thead>
        <tbody>
          {data.visits.map(({ name, n }) => (
            <tr key={name}>
              <th scope="row">{eventNames[name]}</th>
              <td className="number">{n.toLocaleString('it-IT')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Velocità</th>
            <th scope="col" className="number">
              Tre visite su quattro entro
            </th>
          </tr>
        </thead>
        <tbody>
          {data.vitals.map((vital) => (
            <tr key={vital.name}>
              <th scope="row">
                {vitalNames[vital.name]}{' '}
                <span className="soft">{formatCount(vital.n, 'misura', 'misure')}</span>
              </th>
              <td className="number">
                {tellVital(vital)} {vital.n > 0 && <Judgement vital={vital} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function tellVital({ name, n, p75 }: { name: Vital; n: number; p75: number | null }): string {
  if (n === 0) return '–';
  if (p75 === null) return 'oltre la scala';
  return name === 'CLS'
    ? p75.toLocaleString('it-IT')
    : `${p75.toLocaleString('it-IT', { useGrouping: 'always' })} ms`;
}

/** As the vitals' authors judge: by three visits of four. */
function Judgement({
  vital: { n, good, poor },
}: {
  vital: { n: number; good: number; poor: number };
}) {
  if (good >= n * 0.75)
    return (
      <Badge tone="good" icon="check">
        Buona
      </Badge>
    );
  return poor > n * 0.25 ? (
    <Badge tone="bad" icon="warning">
      Lenta
    </Badge>
  ) : (
    <Badge tone="warn" icon="clock">
      Da migliorare
    </Badge>
  );
}

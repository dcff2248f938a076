/** The first screen of the office: this evening, today's sales, what waits, the week. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readToday } from '#server/contract/today.ts';
import { formatCount, formatEuro, formatShortDate, formatTime } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { formatAgo, useNow } from '#apps/admin/kit/clock.ts';
import { Live } from '#apps/admin/kit/list/live.tsx';
import { Table, SecondLine } from '#apps/admin/kit/list/table.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Meter } from '#apps/admin/kit/meter.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Providers } from './providers.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './today.module.css';

type Today = ReplyOf<typeof readToday>;
type Evening = Today['tonight'][number];

const pollMs = 10_000;

export function TodayScreen() {
  const today = useEndpoint(readToday, {}, { refetchInterval: pollMs });
  return (
    <>
      <PageTitle title="Oggi">
        {today.isSuccess && <Live updatedAt={today.dataUpdatedAt} pollMs={pollMs} />}
      </PageTitle>
      <Loaded query={today}>
        {(data) => (
          <div className={panelStyles.panels}>
            <FirstSteps steps={data.first_steps} />
            <Tonight evenings={data.tonight} />
            <Sales sales={data.sales} />
            <Waiting waiting={data.waiting} findings={data.findings} />
            <Providers providers={data.providers} mail={data.mail} />
            <Week evenings={data.week} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Tonight({ evenings }: { evenings: Evening[] }) {
  return (
    <Panel wide aria-labelledby="tonight-title">
      <h2 id="tonight-title">Stasera</h2>
      {evenings.length === 0 ? (
        <p className={textStyles.soft}>Oggi non c’è nessuno spettacolo.</p>
      ) : (
        <ul className={styles.evenings}>
          {evenings.map((evening) => (
            <TonightEvent key={evening.id} evening={evening} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function TonightEvent({ evening }: { evening: Evening }) {
  const { id, title, starts_at, status, sold, places, inside } = evening;
  const address = `/events/${encodeURIComponent(id)}`;
  return (
    <li className={styles.evening}>
      <p>
        <Link className={textStyles.strong} to={address}>
          {title}
        </Link>{' '}
        {status === 'cancelled' && <StateBadge tone="bad" icon="cross" word="Annullato" />}
        <SecondLine>
          {formatTime(starts_at)} · {tellDoors(evening, useNow(30_000))}
        </SecondLine>
      </p>
      <Meter inside={inside} sold={sold} places={places} />
      <p className={textStyles.links}>
        <span>
          <b>{sold.toLocaleString('it-IT')}</b> venduti su {places.toLocaleString('it-IT')}
        </span>
        <Link to={`${address}/door`}>
          <b>{inside.toLocaleString('it-IT')}</b> {inside === 1 ? 'presente' : 'presenti'}
        </Link>
      </p>
    </li>
  );
}

function tellDoors({ doors_at, starts_at }: Evening, now: number): string {
  const opens = doors_at ?? starts_at;
  if (now < Date.parse(opens)) return `porte alle ${formatTime(opens)}`;
  return now < Date.parse(starts_at) ? 'porte aperte' : 'iniziato';
}

function Sales({ sales: { today, before } }: { sales: Today['sales'] }) {
  return (
    <Panel aria-labelledby="sales-title">
      <h2 id="sales-title">Venduto oggi</h2>
      <p className={styles.sum}>{formatEuro(today.paid_cents)}</p>
      <p>
        {formatCount(today.tickets, 'biglietto', 'biglietti')} in{' '}
        {formatCount(today.orders, 'ordine', 'ordini')}
      </p>
      <p className={textStyles.soft}>
        Una settimana fa, fino a quest’ora: {formatEuro(before.paid_cents)},{' '}
        {formatCount(before.tickets, 'biglietto', 'biglietti')}.
      </p>
    </Panel>
  );
}

/** Singular and plural. */
const waitingWords: Record<keyof Today['waiting'], [string, string]> = {
  order: ['ordine', 'ordini'],
  refund_request: ['rimborso richiesto', 'rimborsi richiesti'],
  refund: ['rimborso da chiudere', 'rimborsi da chiudere'],
  dispute: ['contestazione', 'contestazioni'],
  mail: ['messaggio non partito', 'messaggi non partiti'],
  break: ['differenza con i fornitori', 'differenze con i fornitori'],
  seals: ['serata senza tutti i sigilli', 'serate senza tutti i sigilli'],
};
const kinds = Object.keys(waitingWords) as (keyof Today['waiting'])[];

function Waiting({ waiting, findings }: Pick<Today, 'waiting' | 'findings'>) {
  const now = useNow(30_000);
  const open = kinds.filter((kind) => waiting[kind].count > 0);
  return (
    <Panel aria-labelledby="waiting-title">
      <h2 id="waiting-title">Da sistemare</h2>
      {open.length + findings.length === 0 ? (
        <p className={textStyles.soft}>Niente aspetta una persona.</p>
      ) : (
        <>
          <ul className={styles.waiting}>
            {findings.map(({ name, sentence }) => (
              <li key={name}>{sentence}</li>
            ))}
            {open.map((kind) => (
              <li key={kind}>
                <b>{waiting[kind].count.toLocaleString('it-IT')}</b>{' '}
                {waitingWords[kind][waiting[kind].count === 1 ? 0 : 1]}
                {waiting[kind].oldest_at !== null && (
                  <SecondLine>
                    {kind === 'seals'
                      ? `la prima: ${formatShortDate(waiting[kind].oldest_at)}`
                      : `caso più vecchio: ${formatAgo(waiting[kind].oldest_at, now)}`}
                  </SecondLine>
                )}
              </li>
            ))}
          </ul>
          <Link to="/attention">Vai a «Da sistemare»</Link>
        </>
      )}
    </Panel>
  );
}

function Week({ evenings }: { evenings: Evening[] }) {
  return (
    <Panel wide aria-labelledby="week-title">
      <h2 id="week-title">I prossimi sette giorni</h2>
      {evenings.length === 0 ? (
        <p className={textStyles.soft}>Nessuno spettacolo nei prossimi sette giorni.</p>
      ) : (
        <Table columns={['Spettacolo', { number: 'Venduti' }, { number: 'Posti' }]}>
          <tbody>
            {evenings.map((evening) => (
              <tr key={evening.id}>
                <th scope="row">
                  <Link to={`/events/${encodeURIComponent(evening.id)}`}>{evening.title}</Link>{' '}
                  {evening.status === 'cancelled' && (
                    <StateBadge tone="bad" icon="cross" word="Annullato" />
                  )}
                  <SecondLine>{formatShortDate(evening.starts_at)}</SecondLine>
                </th>
                <td className={tableStyles.number}>{evening.sold.toLocaleString('it-IT')}</td>
                <td className={tableStyles.number}>{evening.places.toLocaleString('it-IT')}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

/** An event's waiting room for the office: live figures, pause, message, closing, settings. */
import { useParams } from 'react-router-dom';
import { readEvent } from '#server/contract/event-desk.ts';
import { readQueueDesk } from '#server/contract/queue.ts';
import { formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { BackLink, Intro, PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import { QueueActs } from './acts.tsx';
import { deskAgainMs, QueueFigures } from './panel.tsx';
import { QueueSettings } from './settings.tsx';
import { stateOf, type Desk } from './words.ts';
import styles from './queue.module.css';

export function QueueScreen() {
  const { eventId } = useParams() as { eventId: string };
  const params = { eventId };
  const event = useEndpoint(readEvent, { params });
  const desk = useEndpoint(readQueueDesk, { params }, { refetchInterval: deskAgainMs });
  return (
    <>
      <BackLink to={`/events/${encodeURIComponent(eventId)}`}>Evento</BackLink>
      <PageTitle
        title={`Sala d’attesa${event.data === undefined ? '' : ` di «${event.data.title}»`}`}
      >
        {desk.data !== undefined && <StateBadge {...stateOf(desk.data)} />}
      </PageTitle>
      <Intro>
        Quando in molti vogliono gli stessi biglietti si entra a turno. La cassa, l’ufficio e la
        porta non aspettano mai.
      </Intro>
      <Loaded query={desk}>{(data) => <Room eventId={eventId} desk={data} />}</Loaded>
    </>
  );
}

function Room({ eventId, desk }: { eventId: string; desk: Desk }) {
  return (
    <>
      {!desk.seat_map_guards && (
        <Notice tone="warn">
          La pianta è di seats.io, che non sa chi è entrato: chi salta la sala d’attesa può tenere
          fermi dei posti per qualche minuto, ma non può prenotarli.
        </Notice>
      )}
      <div className={panelStyles.panels}>
        {desk.mode !== 'off' && (
          <>
            <Panel aria-labelledby="now-title">
              <h2 id="now-title">Adesso</h2>
              <QueueFigures desk={desk} />
              <QueueActs eventId={eventId} desk={desk} />
            </Panel>
            <Draw eventId={eventId} desk={desk} />
          </>
        )}
        <QueueSettings key={settingsKey(desk)} eventId={eventId} desk={desk} />
      </div>
    </>
  );
}

/** Changed settings of another user restart the form; changed figures do not. */
function settingsKey({ mode, opens_at, fixed_per_minute, minutes, most_inside, code }: Desk) {
  return JSON.stringify([mode, opens_at, fixed_per_minute, minutes, most_inside, code]);
}

function Draw({
  eventId,
  desk: { mode, opens_at, seed_hash, root, drawn },
}: {
  eventId: string;
  desk: Desk;
}) {
  if (mode === 'auto') return null;
  return (
    <Panel aria-labelledby="draw-title">
      <h2 id="draw-title">Sorteggio</h2>
      <Facts wide>
        <Fact name={root === null ? 'Si estrae' : 'Estratto'}>
          {opens_at === null ? 'all’apertura della vendita' : formatLongDate(opens_at)}
        </Fact>
        {root !== null && <Fact name="Estratti">{drawn.toLocaleString('it-IT')}</Fact>}
        {seed_hash !== null && (
          <Fact name="Impronta pubblicata">
            <code className={styles.hash}>{seed_hash}</code>
          </Fact>
        )}
      </Facts>
      {root === null ? (
        <p>L’impronta è già pubblica: il numero segreto non si può più cambiare.</p>
      ) : (
        <a
          href={`/event/${encodeURIComponent(eventId)}/sorteggio`}
          target="_blank"
          rel="noreferrer"
        >
          Come è stato estratto l’ordine
        </a>
      )}
    </Panel>
  );
}

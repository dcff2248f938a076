/** The waiting room on the event's first screen: its state, how many wait and are inside. */
import { Link } from 'react-router-dom';
import { readQueueDesk } from '#server/contract/queue.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { sayPace, stateOf, type Desk } from './words.ts';

export const deskAgainMs = 3_000;

export function QueuePanel({ eventId }: { eventId: string }) {
  const desk = useEndpoint(
    readQueueDesk,
    { params: { eventId } },
    { refetchInterval: ({ state }) => (state.data?.mode === 'off' ? 15_000 : deskAgainMs) },
  );
  return (
    <Panel aria-labelledby="queue-title">
      <h2 id="queue-title">Sala d’attesa</h2>
      <Loaded query={desk}>
        {(data) => (
          <>
            <p>
              <StateBadge {...stateOf(data)} />
            </p>
            {data.mode === 'off' ? (
              <p>Chi arriva sceglie subito i posti. Serve quando arriva una folla.</p>
            ) : (
              <QueueFigures desk={data} />
            )}
          </>
        )}
      </Loaded>
      <Link to={`/events/${encodeURIComponent(eventId)}/queue`}>Apri la sala d’attesa</Link>
    </Panel>
  );
}

export function QueueFigures({ desk }: { desk: Desk }) {
  const count = (value: number) => value.toLocaleString('it-IT');
  return (
    <Facts wide>
      <Fact name="Aspettano">{count(desk.waiting)}</Fact>
      <Fact name="È il loro turno">{count(desk.called)}</Fact>
      <Fact name="Scelgono i posti">{count(desk.inside)}</Fact>
      <Fact name="Hanno prenotato">{count(desk.done)}</Fact>
      <Fact name="Turni scaduti">{count(desk.expired)}</Fact>
      <Fact name="Numero chiamato">
        {count(desk.serving)} di {count(desk.last)}
      </Fact>
      <Fact name="Si entra">{sayPace(desk)}</Fact>
    </Facts>
  );
}

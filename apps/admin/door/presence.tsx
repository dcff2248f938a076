/** The live number of people inside, by gate, section and category, and scans not yet sent. */
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { listHeads } from '#server/contract/door/heads.ts';
import { readPresence } from '#server/contract/door/presence.ts';
import { formatCount } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { useNow } from '#apps/admin/kit/clock.ts';
import { EventChoice, useChosenEvent, useDoorEvents } from './event-choice.tsx';
import { PageTitle } from '#apps/admin/kit/page/page-title.tsx';
import { Live } from '#apps/admin/kit/list/live.tsx';
import { Empty, Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { HeadsPanel } from './heads.tsx';
import { Meter } from '#apps/admin/kit/meter.tsx';
import { PresenceParts } from './presence-parts.tsx';
import { PresencePhones } from './presence-phones.tsx';
import { tellUnknown, type Presence } from './presence-words.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Table } from '#apps/admin/kit/list/table.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import styles from './presence.module.css';

const pollMs = 3_000;

export function PresenceScreen() {
  const events = useDoorEvents();
  const [asked, choose] = useChosenEvent();
  const next = events.data?.[0]?.id ?? '';
  const event_id = asked || next;
  // Keeps the first choice, even when another event becomes the next one.
  useEffect(() => {
    if (asked === '' && next !== '') choose(next);
  }, [asked, next, choose]);
  return (
    <>
      <PageTitle title="Presenze">
        {event_id !== '' && (
          <EventChoice events={events.data ?? []} value={event_id} onChoose={choose} />
        )}
      </PageTitle>
      {event_id === '' ? (
        <Loaded query={events}>
          {() => (
            <Empty icon="user" title="Non c’è ancora nulla da contare.">
              <p>Quando alla porta si legge il primo biglietto, qui vedi chi è dentro.</p>
            </Empty>
          )}
        </Loaded>
      ) : (
        <PresenceOf key={event_id} eventId={event_id} />
      )}
    </>
  );
}

export function PresenceOf({ eventId }: { eventId: string }) {
  const presence = useEndpoint(
    readPresence,
    { params: { eventId } },
    { refetchInterval: pollMs, placeholderData: keepPreviousData },
  );
  const mayCount = useMay(listHeads.who);
  return (
    <Loaded query={presence}>
      {(data) => (
        <>
          <Headline
            presence={data}
            live={<Live updatedAt={presence.dataUpdatedAt} pollMs={pollMs} />}
          />
          {mayCount && <HeadsPanel eventId={eventId} />}
          <div className={`${panelStyles.panels} ${styles.parts}`}>
            <Gates gates={data.by_gate} />
            <PresenceParts title="Per settore" name="Settore" parts={data.by_section} />
            <PresenceParts title="Per categoria" name="Categoria" parts={data.by_category} />
          </div>
          <PresencePhones eventId={eventId} phones={data.phones} />
        </>
      )}
    </Loaded>
  );
}

function Headline({ presence, live }: { presence: Presence; live: ReactNode }) {
  const { entered, sold, places, people, heads, licensed } = presence;
  const room = licensed ?? places;
  const without = Math.max(0, heads.inside);
  const unknown = tellUnknown(presence, useNow(5_000));
  const figures = [
    ['Entrati in tutto', entered],
    ['Biglietti', sold],
    ['Da arrivare', Math.max(0, sold - entered)],
    [licensed === null ? 'Capienza' : 'Capienza autorizzata', room],
  ] as const;
  return (
    <Panel className={styles.head} aria-label="In sala adesso">
      <p className={styles.inside}>
        <b>{people.toLocaleString('it-IT')}</b> {people === 1 ? 'presente' : 'presenti'} su{' '}
        {room.toLocaleString('it-IT')}
      </p>
      {without > 0 && (
        <p className={styles.without}>di cui {without.toLocaleString('it-IT')} senza biglietto</p>
      )}
      {people > room && (
        <p className={`${textStyles.warn} ${styles.over}`}>
          <Icon name="warning" size={16} /> Oltre la capienza di{' '}
          {formatCount(people - room, 'persona', 'persone')}.
        </p>
      )}
      <Meter className={styles.meter} inside={people} sold={sold} places={Math.max(room, places)} />
      <dl className={styles.figures}>
        {figures.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString('it-IT')}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.doubt}>
        {unknown !== null && (
          <output className={textStyles.warn} aria-label="Che cosa non si sa">
            <Icon name="warning" size={16} /> <span>{unknown}</span>
          </output>
        )}
        {unknown === null && presence.phones.length > 0 && (
          <p className={textStyles.good}>
            <Icon name="check" size={16} /> Tutti i telefoni hanno inviato quello che hanno letto.
          </p>
        )}
        {live}
      </div>
    </Panel>
  );
}

function Gates({ gates }: { gates: Presence['by_gate'] }) {
  if (gates.length === 0) return null;
  return (
    <Panel aria-labelledby="gates-title">
      <h2 id="gates-title">Per varco</h2>
      <Table
        className={styles.table}
        columns={['Varco', { number: 'Entrati' }, { number: 'Usciti' }]}
      >
        <tbody>
          {gates.map((gate) => (
            <tr key={gate.name ?? ''}>
              <th scope="row">{gate.name ?? 'Senza varco o dall’ufficio'}</th>
              <td className={tableStyles.number}>
                {gate.in.toLocaleString('it-IT')}
                {gate.expected !== null && ` di ${gate.expected.toLocaleString('it-IT')}`}
              </td>
              <td className={tableStyles.number}>{gate.out.toLocaleString('it-IT')}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">In tutto</th>
            <td className={tableStyles.number}>{sumOf(gates, 'in')}</td>
            <td className={tableStyles.number}>{sumOf(gates, 'out')}</td>
          </tr>
        </tfoot>
      </Table>
    </Panel>
  );
}

function sumOf(gates: Presence['by_gate'], direction: 'in' | 'out'): string {
  return gates.reduce((sum, gate) => sum + gate[direction], 0).toLocaleString('it-IT');
}

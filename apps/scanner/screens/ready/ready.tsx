/** "Pronto per la porta": the event, the phone's checks, and one tap to begin scanning. */
import { useState } from 'react';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { unlockSound } from '#apps/scanner/device/signals.ts';
import type { ShownHouse } from '#apps/scanner/device/house.ts';
import type { Device, StoredEvent } from '#apps/scanner/kit/store.ts';
import { phone } from '#apps/scanner/scan/phone.ts';
import { PresencePanel } from '#apps/scanner/screens/panels/presence-panel.tsx';
import { QueuePanel } from '#apps/scanner/screens/panels/queue-panel.tsx';
import { RehearsalBanner } from '#apps/scanner/screens/rehearsal-banner.tsx';
import { HouseName } from '#apps/scanner/screens/house-name.tsx';
import { StatusLine } from '#apps/scanner/screens/status-line.tsx';
import { useLive, useStatus } from '#apps/scanner/screens/status.ts';
import { ThemeSwitch } from '#apps/scanner/screens/theme-switch.tsx';
import { Checks } from './checks.tsx';
import { closedWords, EventChoice, RehearsalHelp } from './event-choice.tsx';
import { UpdateNote } from './update-note.tsx';
import { Note } from '#apps/scanner/screens/parts.tsx';
import { joinFacts } from '#apps/scanner/screens/words.ts';
import parts from '#apps/scanner/screens/parts.module.css';

import styles from './ready.module.css';

interface ReadyProps {
  house: ShownHouse | null;
  device: Device;
  events: StoredEvent[];
  chosenId: string | null;
  /** Why scanning has stopped without a tap. */ ended: string | null;
  onChoose: (event_id: string) => void;
  onStart: (event: StoredEvent) => void;
  onPair: () => void;
}

export function Ready({
  house,
  device,
  events,
  chosenId,
  ended,
  onChoose,
  onStart,
  onPair,
}: ReadyProps) {
  const chosen = events.find(({ event_id }) => event_id === chosenId) ?? null;
  const [panel, setPanel] = useState<'queue' | 'presence' | null>(null);
  const { closed_events } = useStatus();
  const wiped = useLive(() => phone.readMeta('wiped'));
  const isComplete = chosen !== null && chosen.generation > 0;
  const isOver = chosenId !== null && wiped?.includes(chosenId) === true;
  const isClosed = !isOver && !isComplete && closed_events.includes(chosenId ?? '');
  const missing =
    isOver || isClosed || chosenId === null ? 'Niente da controllare' : 'Scarico i biglietti…';
  return (
    <main className={parts.page}>
      <RehearsalBanner />
      <Head house={house} device={device} />
      <Troubles device={device} ended={ended} onPair={onPair} />
      <EventChoice device={device} events={events} chosenId={chosenId} onChoose={onChoose} />
      {chosen?.facts?.rehearsal && <RehearsalHelp />}

      {isComplete && <StatusLine event={chosen} />}
      {isOver && <Over />}
      {isClosed && (
        <Note tone="warn" role="status">
          {closedWords}
        </Note>
      )}
      {!isOver && !isClosed && (
        <Checks device={device} event={chosen} onQueue={() => setPanel('queue')} />
      )}
      {isComplete && (
        <button
          type="button"
          className="ui-button ui-button-wide"
          onClick={() => setPanel('presence')}
        >
          <Icon name="user" />
          Presenze
        </button>
      )}
      <Start event={isComplete ? chosen : null} missing={missing} onStart={onStart} />
      {panel === 'queue' && <QueuePanel onClose={() => setPanel(null)} />}
      {panel === 'presence' && chosen && (
        <PresencePanel event={chosen} onClose={() => setPanel(null)} />
      )}
    </main>
  );
}

interface StartProps extends Pick<ReadyProps, 'onStart'> {
  /** Null when there is no event to scan for. */ event: StoredEvent | null;
  missing: string;
}

function Start({ event, missing, onStart }: StartProps) {
  function start() {
    void unlockSound();
    if (event) onStart(event);
  }
  return (
    <footer className={styles.foot}>
      <button type="button" className={parts.big} disabled={event === null} onClick={start}>
        <Icon name="camera" size={28} />
        {event === null ? missing : 'Inizia'}
      </button>
    </footer>
  );
}

function Over() {
  return (
    <Note tone="info" icon="lock" role="status">
      L’evento è concluso: i suoi biglietti sono stati cancellati da questo telefono.
    </Note>
  );
}

function Head({ house, device }: Pick<ReadyProps, 'house' | 'device'>) {
  return (
    <header className={styles.head}>
      <div>
        {house !== null && <HouseName house={house} />}
        <p className={styles.phone}>
          <Icon name="phone" />
          {joinFacts(device.name, device.gate)}
        </p>
        <h1>Pronto per la porta</h1>
        <p className={parts.soft}>
          Telefono di: <strong>{device.role === 'supervisor' ? 'Responsabile' : 'Maschera'}</strong>
        </p>
      </div>
      <ThemeSwitch />
    </header>
  );
}

/** All obstacles to scanning, the gravest first. */
function Troubles({ device, ended, onPair }: Pick<ReadyProps, 'device' | 'ended' | 'onPair'>) {
  const { trouble, update_required } = useStatus();
  return (
    <>
      {ended !== null && (
        <Note tone="bad" role="alert" data-ended>
          {ended}
        </Note>
      )}
      {device.forgotten && (
        <Note
          tone="bad"
          role="alert"
          action={
            <button type="button" className="ui-button ui-button-primary" onClick={onPair}>
              Abbina
            </button>
          }
        >
          L’abbinamento non vale più: chiedi un codice nuovo in ufficio. Le letture da inviare
          restano qui.
        </Note>
      )}
      {trouble !== null && !device.forgotten && !update_required && (
        <Note tone="warn" role="status">
          {trouble}
        </Note>
      )}
      <UpdateNote isRequired={update_required} />
      {device.events.length === 0 && (
        <Note tone="warn" icon="calendar">
          A questo telefono non è assegnato nessun evento: assegnalo in ufficio.
        </Note>
      )}
    </>
  );
}

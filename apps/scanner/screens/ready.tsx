/** "Pronto per la porta": the evening, the phone's checks, and one tap to begin. */
import { useEffect, useState } from 'react';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Checks } from './checks.tsx';
import { closedWords, EventChoice, RehearsalHelp } from './event-choice.tsx';
import { readMeta } from '#apps/scanner/scan/phone.ts';
import { PresencePanel } from './presence-panel.tsx';
import { QueuePanel } from './queue-panel.tsx';
import { Ribbon } from './ribbon.tsx';
import { unlockSound } from '#apps/scanner/device/signals.ts';
import { StatusLine } from './status-line.tsx';
import { useStatus } from './status.ts';
import type { Device, StoredEvent } from '#apps/scanner/list/store.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { checkForUpdateNow, useUpdate, type Sought } from '#apps/scanner/device/update.ts';
import { useLive } from './use-live.ts';

export interface ReadyProps {
  device: Device;
  events: StoredEvent[];
  chosenId: string | null;
  /** Why scanning has stopped by itself. */ ended: string | null;
  onChoose: (event_id: string) => void;
  onStart: (event: StoredEvent) => void;
  onPair: () => void;
}

export function Ready({ device, events, chosenId, ended, onChoose, onStart, onPair }: ReadyProps) {
  const chosen = events.find(({ event_id }) => event_id === chosenId) ?? null;
  const [panel, setPanel] = useState<'queue' | 'presence' | null>(null);
  const { trouble, update_required, closed_events } = useStatus();
  const wiped = useLive(() => readMeta('wiped'));
  const isComplete = chosen !== null && chosen.generation > 0;
  const isOver = chosenId !== null && wiped?.includes(chosenId) === true;
  const isClosed = chosenId !== null && !isComplete && closed_events.includes(chosenId);
  function start() {
    void unlockSound();
    if (chosen) onStart(chosen);
  }

  return (
    <main className="page">
      <Ribbon />
      <header className="ready-head">
        <div>
          <p className="ready-phone">
            <Icon name="phone" />
            {[device.name, device.gate].filter(Boolean).join(' · ')}
          </p>
          <h1>Pronto per la porta</h1>
          <p className="soft">
            Telefono di:{' '}
            <strong>{device.role === 'supervisor' ? 'Responsabile' : 'Maschera'}</strong>
          </p>
        </div>
        <ThemeSwitch />
      </header>
      {ended !== null && (
        <p className="note note-bad" role="alert" data-ended>
          <Icon name="warning" />
          <span>{ended}</span>
        </p>
      )}
      {device.forgotten && (
        <div className="note note-bad" role="alert">
          <Icon name="warning" />
          <span>
            L’abbinamento non vale più: chiedi un codice nuovo in ufficio. Le letture da inviare
            restano qui.
          </span>
          <button type="button" className="ui-button ui-button-primary" onClick={onPair}>
            Abbina
          </button>
        </div>
      )}
      {trouble !== null && !device.forgotten && !update_required && (
        <output className="note note-warn">
          <Icon name="warning" />
          {trouble}
        </output>
      )}
      <UpdateNote isRequired={update_required} />

      {device.events.length === 0 && (
        <p className="note note-warn">
          <Icon name="calendar" />
          <span>A questo telefono non è assegnato nessun evento: assegnalo in ufficio.</span>
        </p>
      )}
      <EventChoice device={device} events={events} chosenId={chosenId} onChoose={onChoose} />
      {chosen?.facts?.rehearsal && <RehearsalHelp />}

      {isComplete && <StatusLine event={chosen} />}
      {isOver ? (
        <output className="note note-info">
          <Icon name="lock" />
          <span>
            L’evento è concluso: i suoi biglietti sono stati cancellati da questo telefono.
          </span>
        </output>
      ) : isClosed ? (
        <output className="note note-warn">
          <Icon name="warning" />
          <span>{closedWords}</span>
        </output>
      ) : (
        <Checks event={chosen} onQueue={() => setPanel('queue')} />
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
      <footer className="ready-foot">
        <button type="button" className="big-button" disabled={!isComplete} onClick={start}>
          <Icon name="camera" size={28} />
          {isComplete
            ? 'Inizia'
            : isOver || isClosed || chosenId === null
              ? 'Niente da controllare'
              : 'Scarico i biglietti…'}
        </button>
      </footer>
      {panel === 'queue' && <QueuePanel onClose={() => setPanel(null)} />}
      {panel === 'presence' && chosen && (
        <PresencePanel event={chosen} onClose={() => setPanel(null)} />
      )}
    </main>
  );
}

const soughtWords: Record<Exclude<Sought, 'not_installed'>, string> = {
  coming: 'La versione nuova sta arrivando: fra poco tocca di nuovo «Aggiorna».',
  none: 'Una versione nuova non c’è ancora: riprova fra poco, o chiedi in ufficio.',
  no_line: 'Non c’è linea: riprova quando torna.',
};

/** Offered; demanded only where the server no longer speaks this app's language, and even then the scans still go up. */
function UpdateNote({ isRequired }: { isRequired: boolean }) {
  const update = useUpdate();
  const [sought, setSought] = useState<keyof typeof soughtWords | null>(null);
  // Who must have it need not ask first whether there is one.
  useEffect(() => {
    if (isRequired) void checkForUpdateNow();
  }, [isRequired]);
  if (!update && !isRequired) return null;
  async function seek() {
    setSought(null);
    const found = await checkForUpdateNow();
    if (found === 'not_installed') location.reload();
    else setSought(found);
  }
  return (
    <div
      className={isRequired ? 'note note-bad' : 'note note-info'}
      data-update={isRequired ? 'required' : 'offered'}
      role={isRequired ? 'alert' : undefined}
    >
      <Icon name="refresh" />
      <output>
        {isRequired ? tooOld : 'È pronta una versione nuova.'}
        {sought !== null && !update && ` ${soughtWords[sought]}`}
      </output>
      <AsyncButton variant="primary" onClick={update ?? seek}>
        Aggiorna
      </AsyncButton>
    </div>
  );
}

const tooOld =
  'Questa versione è troppo vecchia: l’elenco dei biglietti non si aggiorna più. Le letture partono comunque.';

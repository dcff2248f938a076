/** The scanner's start: the pairing and the stored list decide which screen shows. */
import { requireValue } from '#server/domain/require-value.ts';
import { StrictMode, useEffect, useLayoutEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './screens/base.css';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { FailureBoundary } from './screens/failed.tsx';
import { notePersisted } from './screens/install.ts';
import { takePairingToken } from './device/pairing.ts';
import { phone, startSync } from './scan/phone.ts';
import { firstScreen } from './scan/restart.ts';
import { Ready } from './screens/ready/ready.tsx';
import { LinkAgain } from './screens/link-again.tsx';
import { Revoked } from './screens/revoked.tsx';
import { Rehearsal } from './screens/rehearsal-banner.tsx';
import { Scan } from './screens/scan/scan.tsx';
import { Setup } from './screens/setup.tsx';
import type { Device } from './kit/store.ts';
import { shownHouse } from './device/house.ts';
import { showTheme, applyAccent } from './device/theme.ts';
import { useLive } from './screens/status.ts';

showTheme();
const firstToken = takePairingToken();
startSync();
void notePersisted();

/** All screens share one address: iOS asks for the camera again whenever the address changes. */
function Scanner() {
  const [pairing, setPairing] = usePairing();
  const kept = useLive(readKept);
  const { scanning, chosenId, ended, setScanning, choose } = useEventChoice(kept);
  const accent = kept?.house?.accent ?? null;
  useLayoutEffect(() => applyAccent(accent), [accent]);
  if (!kept) return <Spinner fullScreen />;
  const { device, events, house } = kept;
  if (!device || pairing) return <Pairing kept={kept} pairing={pairing} onPairing={setPairing} />;
  const beginPairing = () => {
    setScanning(null);
    setPairing({ token: null });
  };
  if (device.revoked_at !== null) return <Revoked device={device} onPair={beginPairing} />;
  const chosen = events.find(({ event_id }) => event_id === chosenId) ?? null;
  const isRehearsal =
    chosen?.facts?.rehearsal ?? device.events.find(({ id }) => id === chosenId)?.rehearsal ?? false;
  return (
    <Rehearsal value={isRehearsal}>
      {scanning && chosen && chosen.generation > 0 ? (
        <Scan
          key={chosen.event_id}
          device={device}
          event={chosen}
          onLeave={() => setScanning(null)}
        />
      ) : (
        <Ready
          house={house}
          device={device}
          events={events}
          chosenId={chosenId}
          ended={ended}
          onChoose={choose}
          onStart={({ event_id, facts }) => {
            choose(event_id);
            setScanning({ event_id, title: facts?.title ?? '' });
          }}
          onPair={beginPairing}
        />
      )}
    </Rehearsal>
  );
}

interface PairingProps {
  kept: Kept;
  pairing: PairingState;
  onPairing: (next: PairingState) => void;
}

function Pairing({ kept: { device, house }, pairing, onPairing }: PairingProps) {
  const end = () => onPairing(null);
  if (device && pairing?.token && !pairing.isAsked && isPaired(device))
    return (
      <LinkAgain
        device={device}
        token={pairing.token}
        onStay={end}
        onReplace={() => onPairing({ ...pairing, isAsked: true })}
      />
    );
  return (
    <Setup
      key={pairing?.token}
      house={house}
      firstToken={pairing?.token ?? null}
      onPaired={end}
      onCancel={device ? end : null}
    />
  );
}

/** Whether the pairing still works, so that another one would replace it. */
function isPaired({ revoked_at, forgotten, device_token }: Device): boolean {
  return revoked_at === null && !forgotten && device_token !== '';
}

/**
 * Set while this phone is being paired; `token` is that of the opened link, if any. `isAsked`: a
 * person wants to replace the present pairing.
 */
type PairingState = { token: string | null; isAsked?: boolean } | null;

function usePairing() {
  const [pairing, setPairing] = useState<PairingState>(
    firstToken === null ? null : { token: firstToken },
  );
  // A link that is opened while the app runs changes only the fragment.
  useEffect(() => {
    const look = () => {
      const token = takePairingToken();
      if (token !== null) setPairing({ token });
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return [pairing, setPairing] as const;
}

type Kept = Awaited<ReturnType<typeof readKept>>;

async function readKept() {
  return {
    house: await shownHouse(phone.db),
    device: await phone.readMeta('device'),
    chosen_event: await phone.readMeta('chosen_event'),
    wiped: (await phone.readMeta('wiped')) ?? [],
    events: await phone.db.events.toArray(),
  };
}

/** Which event this phone scans for, and whether it is scanning. */
function useEventChoice(kept: Kept | undefined) {
  /**
   * The event being scanned since the tap on "Inizia", whatever the calendar says; `ended` is the
   * sentence why scanning has stopped.
   */
  const [scanning, setScanning] = useState<{ event_id: string; title: string } | null>(firstScreen);
  const [ended, setEnded] = useState<string | null>(null);
  const [tapped, setTapped] = useState<string | null>(null);
  const events = kept?.device?.events ?? [];
  const isOurs = (event_id: string | undefined) =>
    !kept?.wiped.includes(event_id ?? '') && events.some(({ id }) => id === event_id);
  // If only its list is made anew, the event returns by itself. If it was taken away, it does not
  // return, and no other event may replace it unnoticed.
  if (scanning && kept?.device?.revoked_at === null && !isOurs(scanning.event_id)) {
    setScanning(null);
    setEnded(
      kept.wiped.includes(scanning.event_id)
        ? `«${scanning.title}» è concluso: la lettura si è fermata.`
        : `L’ufficio ha tolto «${scanning.title}» da questo telefono: la lettura si è fermata.`,
    );
  }
  const chosen = kept?.chosen_event;
  const chosenId =
    scanning?.event_id ??
    events.find(({ id }) => id === tapped)?.id ??
    (chosen && isOurs(chosen) ? chosen : nearestEvent(events, isOurs));
  const choose = (event_id: string) => {
    setScanning(null);
    setEnded(null);
    setTapped(event_id);
    void phone.writeMeta('chosen_event', event_id);
  };
  return { scanning, chosenId, ended, setScanning, choose };
}

/** The event nearest in time; one that is over only if there is no other. */
function nearestEvent(
  events: Device['events'],
  isOurs: (event_id: string) => boolean,
): string | null {
  const distance = ({ id, starts_at }: Device['events'][number]) =>
    Math.abs(Date.parse(starts_at) - Date.now()) + (isOurs(id) ? 0 : Number.MAX_SAFE_INTEGER / 2);
  return events.toSorted((a, b) => distance(a) - distance(b))[0]?.id ?? null;
}

createRoot(requireValue(document.getElementById('root'), 'root of the page')).render(
  <StrictMode>
    <FailureBoundary>
      <Scanner />
    </FailureBoundary>
  </StrictMode>,
);

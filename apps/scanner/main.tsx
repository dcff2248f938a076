/** The scanner's start: which screen is in front depends on the pairing and the list that the phone keeps. */
import { StrictMode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '#apps/shared/ui/theme.css';
import '#apps/shared/ui/ui.css';
import './scanner.css';
import './scan.css';
import './verdict.css';
import './panel.css';
import { Spinner } from '#apps/shared/ui/spinner.tsx';
import { FailureBoundary } from './failed.tsx';
import { takePairingToken } from './pairing.ts';
import { db, readMeta, startSync, writeMeta } from './phone.ts';
import { Ready } from './ready.tsx';
import { Revoked } from './revoked.tsx';
import { Rehearsal } from './ribbon.tsx';
import { Scan } from './scan.tsx';
import { Setup } from './setup.tsx';
import type { Device } from './store.ts';
import { showTheme } from './theme.ts';
import { useLive } from './use-live.ts';

showTheme();
const firstToken = takePairingToken();
startSync();

/** No address per screen: iOS asks for the camera again whenever the address changes. */
function Scanner() {
  const [isScanning, setScanning] = useState(false);
  const [pairing, setPairing] = useState<{ token: string | null } | null>(firstToken === null ? null : { token: firstToken });
  const kept = useLive(async () => ({ device: await readMeta('device'), chosen_event: await readMeta('chosen_event'), events: await db.events.toArray() }));

  // A link that is opened while the app is already open changes only the fragment.
  useEffect(() => {
    const look = () => {
      const token = takePairingToken();
      if (token !== null) setPairing({ token });
    };
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  const endPairing = useCallback(() => setPairing(null), []);

  if (!kept) return <Spinner fullScreen />;
  const { device, events } = kept;
  if (!device || pairing) return <Setup key={pairing?.token} firstToken={pairing?.token ?? null} onPaired={endPairing} onCancel={device ? endPairing : null} />;
  if (device.revoked_at !== null) return <Revoked device={device} onPair={() => setPairing({ token: null })} />;

  const chosenId = device.events.some(({ id }) => id === kept.chosen_event) ? kept.chosen_event! : nearestEvent(device);
  const chosen = events.find(({ event_id }) => event_id === chosenId) ?? null;
  const isRehearsal = chosen?.facts?.rehearsal ?? device.events.find(({ id }) => id === chosenId)?.rehearsal ?? false;
  return (
    <Rehearsal value={isRehearsal}>
      {isScanning && chosen && chosen.generation > 0
        ? <Scan key={chosen.event_id} device={device} event={chosen} onLeave={() => setScanning(false)} />
        : <Ready device={device} events={events} chosenId={chosenId} onChoose={(event_id) => void writeMeta('chosen_event', event_id)} onStart={() => setScanning(true)} onPair={() => setPairing({ token: null })} />}
    </Rehearsal>
  );
}

/** Tonight's, until somebody says otherwise. */
function nearestEvent(device: Device): string | null {
  const distance = ({ starts_at }: { starts_at: string }) => Math.abs(Date.parse(starts_at) - Date.now());
  return device.events.toSorted((a, b) => distance(a) - distance(b))[0]?.id ?? null;
}

createRoot(document.getElementById('root')!).render(<StrictMode><FailureBoundary><Scanner /></FailureBoundary></StrictMode>);

/**
 * The screen of a phone that the office has revoked: it has no tickets any more, and still sends
 * its earlier scans.
 */
import { Icon } from '#apps/shared/ui/icon.tsx';
import { sayCount, sayUnsent } from './words.ts';
import { ExportQueue } from '#apps/scanner/screens/panels/export-queue.tsx';
import { phone } from '#apps/scanner/scan/phone.ts';
import { useLive, useUnsent } from './status.ts';
import type { Device } from '#apps/scanner/kit/store.ts';
import { Note } from './parts.tsx';
import parts from './parts.module.css';

export function Revoked({ device, onPair }: { device: Device; onPair: () => void }) {
  const unsent = useUnsent();
  const unreadable = useLive(() => phone.db.queue.where('fate').equals('unreadable').count());
  // Shown only once both are known, so that it never says too early that everything is sent.
  if (unsent === undefined || unreadable === undefined) return null;
  const waiting = unsent.readings;
  return (
    <main className={parts.pageCentre} data-revoked data-queue={waiting}>
      <span className="ui-view-sign ui-view-sign-bad">
        <Icon name="lock" size={40} />
      </span>
      <h1>Questo telefono non è più autorizzato</h1>
      <p className={parts.soft}>
        I biglietti sono stati cancellati da qui. Per usarlo ancora serve un nuovo abbinamento
        dall’ufficio.
      </p>
      {waiting === 0 ? (
        <Note tone="good" icon="check" role="status">
          {sentWords(unreadable)}
        </Note>
      ) : (
        <Note tone="warn" icon="upload" role="status">
          {waitingWords(sayUnsent(unsent), device.device_token === '')}
        </Note>
      )}
      <ExportQueue title={waiting > 0 ? 'Se non partono' : 'Quello che il server non ha capito'} />
      <button type="button" className={parts.big} onClick={onPair}>
        Abbina di nuovo
      </button>
    </main>
  );
}

function sentWords(unreadable: number): string {
  const but = sayCount(unreadable, 'che il server non ha capito', 'che il server non ha capito');
  return `Tutte le letture sono state consegnate${unreadable === 0 ? '' : `, tranne ${but}`}.`;
}

/** `isUnpaired`: the server accepts nothing more from this pairing. */
function waitingWords(count: string, isUnpaired: boolean): string {
  return isUnpaired
    ? `${count}: partiranno con il prossimo abbinamento.`
    : `${count}: restano su questo telefono finché il server non le riceve.`;
}

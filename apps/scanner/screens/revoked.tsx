/** The office has stopped this phone: no ticket is left on it; what it read before goes up once more. */
import { Icon } from '#apps/shared/ui/icon.tsx';
import { sayCount } from './count.ts';
import { ExportQueue } from './export-queue.tsx';
import { db } from '#apps/scanner/scan/phone.ts';
import { useQueueLength } from './status-line.tsx';
import type { Device } from '#apps/scanner/list/store.ts';
import { useLive } from './use-live.ts';

export function Revoked({ device, onPair }: { device: Device; onPair: () => void }) {
  const waiting = useQueueLength();
  const shelf = useLive(() => db.queue.where('fate').equals('unreadable').count());
  // The next moment tells: nobody must read that all is done before it is known.
  if (waiting === undefined || shelf === undefined) return null;
  const count = sayCount(waiting, 'ingresso da inviare', 'ingressi da inviare');
  return (
    <main className="page page-centre" data-revoked data-queue={waiting}>
      <span className="revoked-sign">
        <Icon name="lock" size={56} />
      </span>
      <h1>Questo telefono non è più autorizzato</h1>
      <p className="soft">
        I biglietti sono stati cancellati da qui. Per usarlo ancora serve un nuovo abbinamento
        dall’ufficio.
      </p>
      <output className={waiting === 0 ? 'note note-good' : 'note note-warn'}>
        <Icon name={waiting === 0 ? 'check' : 'upload'} />
        <span>
          {waiting === 0
            ? `Tutte le letture sono state consegnate${shelf === 0 ? '' : `, tranne ${sayCount(shelf, 'che il server non ha capito', 'che il server non ha capito')}`}.`
            : device.device_token === ''
              ? `${count}: partiranno con il prossimo abbinamento.`
              : `${count}: restano su questo telefono finché il server non le riceve.`}
        </span>
      </output>
      <ExportQueue title={waiting > 0 ? 'Se non partono' : 'Quello che il server non ha capito'} />
      <button type="button" className="big-button" onClick={onPair}>
        Abbina di nuovo
      </button>
    </main>
  );
}

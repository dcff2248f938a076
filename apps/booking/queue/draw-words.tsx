/**
 * How the order of a waiting room is drawn, what was published about it beforehand, and how to
 * check it.
 */
import { ownPart } from './own-part.ts';
import type { Place, Room } from './stage.ts';
import styles from './queue.late.module.css';

interface DrawWordsProps {
  eventId: string;
  room: Room;
  place: Place | null;
}

export function DrawWords({ eventId, room, place }: DrawWordsProps) {
  if (room.seed_hash === null) return null;
  const own = ownPart(eventId);
  const mine = new URLSearchParams({
    place: place?.place_hash ?? '',
    nonce: own?.nonce ?? '',
    promised: own?.seed_hash ?? '',
  });
  return (
    <details className={styles.more}>
      <summary>Come si estrae l’ordine</summary>
      <p>
        Prima dell’apertura pubblichiamo l’impronta di un numero segreto, e ogni browser aggiunge un
        numero suo. All’apertura fissiamo l’elenco di chi aspetta e solo dopo apriamo il numero
        segreto: dai due insieme nasce l’ordine, che nessuno può scegliere. Chi arriva dopo segue
        l’ordine di arrivo.
      </p>
      <p>
        Impronta del numero segreto: <code>{room.seed_hash}</code>
      </p>
      {room.seed !== null && (
        <a href={`/event/${encodeURIComponent(eventId)}/sorteggio#${mine}`}>
          Come è stato estratto l’ordine
        </a>
      )}
    </details>
  );
}

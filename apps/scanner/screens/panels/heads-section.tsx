/**
 * People without a ticket in the panel of who is inside: how many, two large buttons to count
 * them, and what was counted.
 */
import { useState } from 'react';
import { headReasonNames, sayHeadReason } from '#server/domain/door/heads.ts';
import type { Direction } from '#server/domain/door/admission.ts';
import { formatTime } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { signal } from '#apps/scanner/device/signals.ts';
import type { ShownHeads } from '#apps/scanner/scan/heads.ts';
import { phone, syncSoon } from '#apps/scanner/scan/phone.ts';
import { useMemory } from '#apps/scanner/screens/status.ts';
import { joinFacts, sayCount } from '#apps/scanner/screens/words.ts';
import { Note } from '#apps/scanner/screens/parts.tsx';
import parts from '#apps/scanner/screens/parts.module.css';
import { HeadsCount } from './heads-count.tsx';
import rows from './rows.module.css';
import styles from './heads.module.css';

/** More are in the office's list. */
const mostShown = 30;

export function HeadsSection({ event_id }: { event_id: string }) {
  const heads = useMemory(() => phone.heads(event_id));
  const [counting, setCounting] = useState<Direction | null>(null);
  const [undoing, setUndoing] = useState<ShownHeads | null>(null);
  return (
    <section className={parts.stack} aria-label="Senza biglietto" data-heads={heads.inside}>
      <h2>Senza biglietto</h2>
      <p className={styles.sum}>
        {sayCount(Math.max(0, heads.inside), 'persona dentro', 'persone dentro')}
      </p>
      {heads.inside < 0 && (
        <Note tone="warn">
          Ne risultano {sayCount(-heads.inside, 'uscita', 'uscite')} più di quante entrate: un altro
          telefono deve ancora inviare, o c’è uno sbaglio.
        </Note>
      )}
      <div className={parts.pair}>
        <button
          type="button"
          className={`${parts.big} ${styles.way}`}
          onClick={() => setCounting('in')}
        >
          <Icon name="door" /> Conta chi entra
        </button>
        <button
          type="button"
          className={`${parts.control} ${styles.out}`}
          onClick={() => setCounting('out')}
        >
          <Icon name="logout" /> Conta chi esce
        </button>
      </div>
      {heads.counts.length > 0 && (
        <ul className={rows.list}>
          {heads.counts.slice(0, mostShown).map((count) => (
            <Count key={count.head_id} count={count} onUndo={() => setUndoing(count)} />
          ))}
        </ul>
      )}
      {counting !== null && (
        <HeadsCount
          event_id={event_id}
          direction={counting}
          inside={heads.inside}
          onClose={() => setCounting(null)}
        />
      )}
      {undoing !== null && (
        <AskUndo event_id={event_id} count={undoing} onClose={() => setUndoing(null)} />
      )}
    </section>
  );
}

/** "4 entrate · Artisti: coro" */
function sayHeads({ direction, people, ...why }: ShownHeads): string {
  const [one, many] = direction === 'in' ? ['entrata', 'entrate'] : ['uscita', 'uscite'];
  return `${sayCount(people, one, many)} · ${sayHeadReason(why)}`;
}

function Count({ count, onUndo }: { count: ShownHeads; onUndo: () => void }) {
  const { at, gate, by, undone, waiting, doubted } = count;
  const state = [
    undone && 'annullato',
    doubted && 'non contato: chiedi in ufficio',
    waiting && 'da inviare',
  ].filter((word) => word !== false);
  return (
    <li className={rows.row}>
      <span className={rows.text}>
        <span className={undone || doubted ? styles.gone : styles.what}>{sayHeads(count)}</span>
        <span className={parts.soft}>
          {joinFacts(formatTime(at), by === '' ? 'questo telefono' : by, gate, ...state)}
        </span>
      </span>
      {!undone && phone.mayTakeHeadsBack(count) && (
        <button type="button" className={parts.undo} onClick={onUndo}>
          <Icon name="undo" /> Annulla
        </button>
      )}
    </li>
  );
}

interface AskUndoProps {
  event_id: string;
  count: ShownHeads;
  onClose: () => void;
}

function AskUndo({ event_id, count, onClose }: AskUndoProps) {
  const [undo_id] = useState(() => phone.newId());
  const [trouble, setTrouble] = useState<string | null>(null);
  async function takeBack() {
    try {
      const { head_id } = count;
      if (await phone.undoHeads({ event_id, head_id, undo_id })) {
        signal('undone');
        syncSoon();
        return onClose();
      }
      setTrouble('Non si può più annullare: fallo annullare da un responsabile o in ufficio.');
    } catch {
      setTrouble('Non salvato: il telefono non riesce a scrivere.');
    }
    return signal('not_saved');
  }
  const { people, direction, by } = count;
  const [one, many] = direction === 'in' ? ['entrata', 'entrate'] : ['uscita', 'uscite'];
  const about = sayCount(people, `persona ${one}`, `persone ${many}`);
  return (
    <Modal title="Annullare il conteggio?" role="alertdialog" onClose={onClose}>
      <div className={parts.stack}>
        <p className={styles.about}>
          {joinFacts(about, headReasonNames[count.reason], formatTime(count.at), by)}
        </p>
        {trouble !== null && (
          <Note tone="bad" role="alert">
            {trouble}
          </Note>
        )}
        <button type="button" className={parts.big} onClick={() => void takeBack()}>
          Annulla il conteggio
        </button>
        <button type="button" className={parts.chip} data-autofocus onClick={onClose}>
          Lascia com’è
        </button>
      </div>
    </Modal>
  );
}

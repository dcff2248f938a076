/** A guest without a valid ticket, on a supervisor's phone: where and when, and what was known. */
import { formatTime, formatTimeWithSeconds } from '#apps/shared/format.ts';
import { Icon } from '#apps/shared/ui/icon.tsx';
import type { Against } from '#server/domain/door/against.ts';
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { GuestAgainst } from '#apps/scanner/kit/store.ts';
import { SeatWords } from '#apps/scanner/screens/scan/verdict/verdict-parts.tsx';
import { joinFacts } from '#apps/scanner/screens/words.ts';
import parts from '#apps/scanner/screens/parts.module.css';
import styles from './conflict-card.module.css';

const words = withOther<Record<Against, string>>(
  { refunded: 'Rimborsato', void: 'Annullato', replaced: 'Spostato su un altro posto' },
  newerWord,
);

export function GuestCard({ guest }: { guest: GuestAgainst }) {
  const { seat, at, gate, by, against, ended_at, order_number, sold, kept } = guest;
  return (
    <li className={`${parts.card} ${styles.conflict}`} data-guest={guest.admission_id}>
      <p className={styles.head}>
        <Icon name="warning" size={24} label="Senza biglietto valido" />
        <strong>
          <SeatWords seat={seat} />
        </strong>
      </p>
      <dl className={styles.passages}>
        <div>
          <dt>Entrato</dt>
          <dd>{joinFacts(formatTimeWithSeconds(at), gate, by === gate ? null : by)}</dd>
        </div>
        <div>
          <dt>Biglietto</dt>
          <dd>
            {ended_at === null ? words[against] : `${words[against]} ${whenOf(ended_at, at)}`}
          </dd>
        </div>
        <div>
          <dt>Ordine</dt>
          <dd>{order_number}</dd>
        </div>
      </dl>
      {sold && <p className={parts.soft}>Il posto è già di un altro.</p>}
      {kept && <p className={parts.soft}>Il posto non è in vendita finché l’ufficio non decide.</p>}
    </li>
  );
}

function whenOf(ended_at: string, entered_at: string): string {
  const time = `alle ${formatTime(ended_at)}`;
  return Date.parse(ended_at) > Date.parse(entered_at) ? `${time}, quando era dentro` : time;
}

/** The alphabetical list of guests, visible only in print. */
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readGuestPaper } from '#server/contract/guests.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { formatCount, formatListDate, formatLongDate } from '#apps/shared/format.ts';
import { usePrintOnce } from '#apps/admin/kit/page/print-once.ts';
import paperStyles from '#apps/admin/kit/page/paper.module.css';
import styles from './guest-paper.module.css';

export type Paper = ReplyOf<typeof readGuestPaper>;
type Guest = Paper['letters'][number]['guests'][number];

export function GuestPaper({ paper, onPrinted }: { paper: Paper; onPrinted: () => void }) {
  usePrintOnce(onPrinted);
  return (
    <div className={`${paperStyles.paper} ${styles.list}`}>
      <h1>{paper.title}</h1>
      <p>
        {formatLongDate(paper.starts_at)} · {paper.venue_title} ·{' '}
        {formatCount(paper.tickets, 'biglietto', 'biglietti')} · stampato il{' '}
        {formatListDate(paper.made_at)}
      </p>
      {paper.letters.map(({ letter, guests }) => (
        <section key={letter}>
          <h2>{letter}</h2>
          <ul>
            {guests.map((guest, at) => (
              <GuestLine key={`${at} ${guest.name ?? ''}`} guest={guest} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function GuestLine({ guest }: { guest: Guest }) {
  return (
    <li>
      <b>
        {isolate(guest.name ?? 'Senza nome')}
        {guest.with !== null && ` (con ${isolate(guest.with)})`}
      </b>
      <span>{guest.seats.join(' · ')}</span>
      <b>{guest.tickets}</b>
    </li>
  );
}

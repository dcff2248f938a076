/**
 * Offers on a new date what the visitor had chosen on another one: the same number of places in the
 * same categories.
 */
import { useState } from 'react';
import { formatCount } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { useInBrowser } from '#apps/booking/shell/in-browser.ts';
import { seatsId } from '#apps/booking/event/seats/to-seats.tsx';
import type { SeatSelection } from '#apps/booking/event/seats/selection.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { hasPlaces } from './sale-words.ts';
import { forgetWish, wishFor, type Wish } from './wish.ts';
import styles from './date-strip.late.module.css';

interface WishNoteProps {
  page: EventReply;
  selection: SeatSelection;
}

export function WishNote({ page, selection }: WishNoteProps) {
  const [fault, setFault] = useState<string | null>(null);
  const [, setGone] = useState(false);
  if (!useInBrowser() || !hasPlaces(page)) return null;
  const wish = wishFor(page.other_dates.map(({ id }) => `/event/${id}`));
  if (wish === null) return null;

  async function find(wanted: Wish) {
    if (selection.chart === null)
      return setFault('La pianta non è ancora pronta: riprova tra un momento.');
    try {
      await selection.chart.holdBestAvailable(asked(wanted));
    } catch {
      return setFault('Qui non troviamo posti così: scegli tu sulla pianta.');
    }
    forgetWish();
    document.getElementById(seatsId)?.scrollIntoView();
  }
  return (
    <div className={styles.wish}>
      <p>
        Nell’altra data avevi scelto <strong>{sayWish(wish)}</strong>:{' '}
        {wish.number === 1 ? 'lo abbiamo lasciato libero' : 'li abbiamo lasciati liberi'}.
      </p>
      <AsyncButton variant="primary" onClick={() => find(wish)}>
        Trova {wish.number === 1 ? 'un posto' : `${wish.number} posti`} in questa data
      </AsyncButton>
      <AsyncButton
        onClick={() => {
          forgetWish();
          setGone(true);
        }}
      >
        Scelgo io
      </AsyncButton>
      <output>{fault}</output>
    </div>
  );
}

function asked({ number, categories, types }: Wish) {
  const typed = Object.values(types).reduce((sum, count) => sum + count, 0);
  return { categories, ...(typed === number ? { ticketTypes: types } : { number }) };
}

/** As in "2 posti in Platea, Palchi". */
function sayWish({ number, categories }: Wish): string {
  const places = formatCount(number, 'posto', 'posti');
  return categories.length === 0 ? places : `${places} in ${categories.join(', ')}`;
}

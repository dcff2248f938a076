/**
 * The chosen seats and their price: the list under the chart, and the bar at the foot of the
 * screen.
 */
import { Suspense, useEffect, useRef } from 'react';
import { formatCount, sayPrice } from '#apps/shared/format.ts';
import { latePart } from '#apps/shared/late-part.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { sayViolation, type Booking } from '#apps/booking/event/book.ts';
import { countPlaces } from './choices.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { payWords } from '#apps/booking/event/sale-words.ts';
import { openedRules } from './opened-rules.ts';
import type { SeatSelection, SelectionState } from './selection.ts';
import styles from './selection-summary.module.css';

// Fetched with the chart, because nothing can be chosen before that.
const ChosenSeats = latePart(() => import('./chosen-seats.tsx').then((part) => part.ChosenSeats));
const HoldClock = latePart(() =>
  import('#apps/booking/event/hold-clock.tsx').then((part) => part.HoldClock),
);

/**
 * Moves the focus after a line was removed: to the next line, or to the title if none is left.
 */
function useFocusAfterRemoval() {
  const section = useRef<HTMLElement>(null);
  const removed = useRef<number | null>(null);
  useEffect(() => {
    if (removed.current === null || document.activeElement !== document.body) return;
    const buttons = [...(section.current?.querySelectorAll<HTMLElement>('li > button') ?? [])];
    const next = buttons[removed.current] ?? buttons.at(-1) ?? section.current?.querySelector('h2');
    next?.focus();
    removed.current = null;
  });
  return {
    section,
    removing: (index: number) => {
      removed.current = index;
    },
  };
}

interface SelectionListProps {
  page: EventReply;
  selection: SeatSelection;
  state: SelectionState;
  sum: number | null;
  booking: Pick<Booking, 'refusal' | 'isTotalNew' | 'deal'>;
}

export function SelectionList({ page, selection, state, sum, booking }: SelectionListProps) {
  const { choices } = state;
  const { section, removing } = useFocusAfterRemoval();
  const warning = sayWarning(state) ?? sayRefusal(booking, sum);
  return (
    <section
      ref={section}
      className={`${styles.section} no-print needs-script`}
      aria-labelledby="selected-title"
    >
      <h2 id="selected-title" tabIndex={-1}>
        I tuoi posti
      </h2>
      <output className={styles.warning} aria-label="Avviso">
        {warning !== null && (
          <>
            <Icon name="warning" /> {warning}
          </>
        )}
      </output>
      {choices.length === 0 ? (
        <p className="soft">Tocca un posto libero sulla pianta per sceglierlo.</p>
      ) : (
        <Suspense>
          <ChosenSeats
            page={page}
            sum={sum}
            choices={choices}
            opened={openedRules(state)}
            deal={booking.deal}
            onRemove={async (index) => {
              removing(index);
              const choice = choices[index];
              if (choice) await selection.remove(choice);
            }}
            onCome={(object_id, coming) => selection.come(object_id, coming)}
          />
        </Suspense>
      )}
    </section>
  );
}

function sayRefusal(
  { refusal, isTotalNew }: SelectionListProps['booking'],
  sum: number | null,
): string | null {
  return isTotalNew ? `${refusal} Il totale ora è ${sayPrice(sum)}.` : refusal;
}

function sayWarning({
  choices,
  violations,
  expired,
  booked_elsewhere,
}: SelectionState): string | null {
  if (violations.length > 0 && choices.length > 0) return sayViolation(violations, choices);
  if (booked_elsewhere)
    return 'I posti che avevi scelto sono stati appena prenotati: forse in un’altra scheda.';
  return expired ? 'Tempo scaduto: i posti sono tornati disponibili.' : null;
}

/** Scrolls a focused chart out from under the bar when the bar appears. */
function useChartAbove(stays: boolean) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chart = bar.current?.previousElementSibling;
    if (
      stays &&
      matchMedia('(min-width: 768px)').matches &&
      chart?.contains(document.activeElement)
    )
      chart.scrollIntoView({ block: 'nearest' });
  }, [stays]);
  return bar;
}

interface SelectionBarProps {
  state: SelectionState;
  /** Cents; null if a price is unknown. */
  sum: number | null;
  booking: Booking;
  onProlong: () => Promise<void>;
}

export function SelectionBar({ state, sum, booking, onProlong }: SelectionBarProps) {
  const { choices, deadline, last_time } = state;
  const places = countPlaces(choices);
  const bar = useChartAbove(places > 0);
  return (
    <div
      ref={bar}
      className={`${styles.bar} ${places === 0 ? styles.empty : ''} no-print needs-script`}
    >
      <div className={styles.text}>
        <output className={styles.sum} aria-label="Posti scelti">
          {places === 0
            ? 'Nessun posto scelto'
            : `${formatCount(places, 'posto', 'posti')} · ${sayPrice(sum)}`}
        </output>
        {places > 0 && deadline !== null && (
          <Suspense>
            <HoldClock deadline={deadline} onProlong={last_time ? undefined : onProlong} />
          </Suspense>
        )}
      </div>
      <AsyncButton
        variant="primary"
        className={`ui-button-wide ${styles.button}`}
        busy={booking.busy}
        onClick={booking.book}
      >
        <Icon name={places === 0 ? 'cart-empty' : 'cart'} />{' '}
        {places === 0 ? 'Procedi al pagamento' : (booking.deal?.words ?? payWords)(sum)}
      </AsyncButton>
    </div>
  );
}

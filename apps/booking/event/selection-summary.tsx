/** What was chosen and what it costs: the list under the chart, and the bar that stays within reach of the thumb. */
import { useEffect, useRef } from 'react';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { sayViolation, type Booking } from './book.ts';
import { countPlaces, feesOf, totalOf, type Choice } from './choices.ts';
import { HoldClock } from './hold-clock.tsx';
import type { NoticeKind } from '#server/domain/notices.ts';
import { feeWords } from '#server/domain/pricing.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { NoticeList } from './sale-notice.tsx';
import type { SeatSelection, SelectionState } from './selection.ts';
import lines from '#apps/booking/shell/price-lines.module.css';
import prose from '#apps/booking/shell/prose.module.css';
import styles from './selection-summary.module.css';

/** The line that is taken away takes the focus with it: the next one gets it, or the title when none is left. */
function useFocusAfterRemoval() {
  const section = useRef<HTMLElement>(null);
  const removed = useRef<number | null>(null);
  useEffect(() => {
    if (removed.current === null || document.activeElement !== document.body) return;
    const buttons = section.current!.querySelectorAll<HTMLElement>('li > button');
    (
      buttons[Math.min(removed.current, buttons.length - 1)] ?? section.current!.querySelector('h2')
    )?.focus();
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
  refusal: string | null;
}

export function SelectionList({ page, selection, state, refusal }: SelectionListProps) {
  const { choices } = state;
  const { notices } = page;
  const { section, removing } = useFocusAfterRemoval();
  const warning = sayWarning(state) ?? refusal;
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
        <>
          <ul className={lines.list}>
            {choices.map((choice, index) => (
              <ChosenLine
                key={`${choice.object_id} ${choice.ticket_type}`}
                choice={choice}
                tags={notices.flatMap(({ about, tag }) =>
                  tag !== null && isAbout(choice, about) ? [tag] : [],
                )}
                onRemove={() => {
                  removing(index);
                  return selection.remove(choice);
                }}
              />
            ))}
          </ul>
          <NoticeList sentences={sentencesFor(choices, notices)} />
          <Sums choices={choices} page={page} />
        </>
      )}
    </section>
  );
}

/** Of what is chosen; a name on the ticket is the event's affair. */
function sentencesFor(choices: readonly Choice[], notices: EventReply['notices']): string[] {
  return notices
    .filter(
      ({ about }) => about === 'nominative' || choices.some((choice) => isAbout(choice, about)),
    )
    .map(({ chosen }) => chosen);
}

function isAbout({ traits }: Choice, about: NoticeKind): boolean {
  return traits.some((trait) => trait === about);
}

function Sums({ choices, page }: { choices: readonly Choice[]; page: EventReply }) {
  const sum = totalOf(choices);
  const fee = feeWords(feesOf(choices));
  return (
    <>
      <p className={lines.total}>
        <span>Totale (IVA inclusa)</span> <strong>{formatEuro(sum)}</strong>
      </p>
      {fee !== null && <p className={lines.fee}>{fee}</p>}
      <p className="small soft">
        Premendo «{payWords(sum)}» o «Procedi al pagamento» invii un ordine con obbligo di pagare{' '}
        {formatEuro(sum)}. Verrai portato su Stripe, il nostro partner per i pagamenti: non vediamo
        i dati della tua carta.
      </p>
      <p className="small soft">
        Ai sensi dell’art. 59, comma 1, lett. n), del Codice del consumo non è previsto il diritto
        di recesso. {page.refunds}
      </p>
      {page.terms !== null && (
        <details className={styles.terms}>
          <summary>Regole di questo spettacolo</summary>
          <div className={prose.rich} dangerouslySetInnerHTML={{ __html: page.terms }} />
        </details>
      )}
    </>
  );
}

function sayWarning({
  choices,
  violations,
  expired,
  booked_elsewhere,
}: SelectionState): string | null {
  if (violations.length > 0 && choices.length > 0) return sayViolation(violations);
  if (booked_elsewhere)
    return 'I posti che avevi scelto sono stati appena prenotati: forse in un’altra scheda.';
  return expired ? 'Tempo scaduto: i posti sono tornati disponibili.' : null;
}

interface ChosenLineProps {
  choice: Choice;
  tags: readonly string[];
  onRemove: () => Promise<void>;
}

function ChosenLine({ choice, tags, onRemove }: ChosenLineProps) {
  const { name, type_label, quantity, unit_cents } = choice;
  const title = quantity === 1 ? name : `${quantity} × ${name}`;
  return (
    <li className={lines.line}>
      <span className={lines.name}>
        {title}
        {type_label !== null && <span className="soft"> – {type_label}</span>}
        {tags.length > 0 && <span className="small soft"> ({tags.join(', ')})</span>}
      </span>
      <span className={lines.price}>
        {formatEuro(unit_cents === null ? null : unit_cents * quantity)}
      </span>
      <AsyncButton
        variant="bare"
        className={`ui-dialog-close ${styles.remove}`}
        aria-label={`Togli ${title}`}
        onClick={onRemove}
      >
        <Icon name="cross" />
      </AsyncButton>
    </li>
  );
}

/** The last button of ours names the sum. */
function payWords(cents: number | null): string {
  if (cents === null) return 'Procedi al pagamento';
  return cents === 0 ? 'Conferma l’ordine' : `Paga ${formatEuro(cents)}`;
}

/** When the bar comes to stay in view, the chart in which somebody is choosing moves up from under it, where both have room. */
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
  booking: Booking;
  onProlong: () => Promise<void>;
}

export function SelectionBar({ state, booking, onProlong }: SelectionBarProps) {
  const { choices, deadline, last_time } = state;
  const sum = totalOf(choices);
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
            : `${formatCount(places, 'posto', 'posti')} · ${formatEuro(sum)}`}
        </output>
        {places > 0 && deadline !== null && (
          <HoldClock deadline={deadline} onProlong={last_time ? undefined : onProlong} />
        )}
      </div>
      <AsyncButton
        variant="primary"
        className={`ui-button-wide ${styles.button}`}
        busy={booking.busy}
        onClick={booking.book}
      >
        <Icon name={places === 0 ? 'cart-empty' : 'cart'} />{' '}
        {places === 0 ? 'Procedi al pagamento' : payWords(sum)}
      </AsyncButton>
    </div>
  );
}

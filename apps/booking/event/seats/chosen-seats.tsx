/** The lines of the chosen seats, what a buyer must know about them, and the sums. */
import { formatEuro } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { feeWords } from '#server/domain/price/pricing.ts';
import { totalOf, type Choice } from './choices.ts';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { NoticeList } from '#apps/booking/event/sale-notice.tsx';
import { payWords } from '#apps/booking/event/sale-words.ts';
import lines from '#apps/booking/shell/price-lines.module.css';
import prose from '#apps/booking/shell/page/prose.module.css';
import styles from './selection-summary.module.css';

interface ChosenSeatsProps {
  page: EventReply;
  choices: readonly Choice[];
  onRemove: (index: number) => Promise<void>;
}

export function ChosenSeats({ page, choices, onRemove }: ChosenSeatsProps) {
  const { notices } = page;
  return (
    <>
      <ul className={lines.list}>
        {choices.map((choice, index) => (
          <ChosenLine
            key={`${choice.object_id} ${choice.ticket_type}`}
            choice={choice}
            tags={notices.flatMap(({ about, tag }) =>
              tag !== null && isAbout(choice, about) ? [tag] : [],
            )}
            onRemove={() => onRemove(index)}
          />
        ))}
      </ul>
      <NoticeList sentences={sentencesFor(choices, notices)} />
      <Sums choices={choices} page={page} />
    </>
  );
}

type About = EventReply['notices'][number]['about'];
const ofTheEvent: readonly About[] = ['nominative', 'per_email'];

/** Notices about the chosen seats, and those about the whole event (names, limits). */
function sentencesFor(choices: readonly Choice[], notices: EventReply['notices']): string[] {
  return notices
    .filter(
      ({ about }) => ofTheEvent.includes(about) || choices.some((choice) => isAbout(choice, about)),
    )
    .map(({ chosen }) => chosen);
}

function isAbout({ traits }: Choice, about: About): boolean {
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

/** The presale fees in cents. */
export function feesOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, choice) => sum + choice.unit_fee_cents * choice.quantity, 0);
}

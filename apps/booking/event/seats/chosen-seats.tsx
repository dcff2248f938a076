/** The lines of the chosen seats, what a buyer must know about them, and the sums. */
import { Suspense } from 'react';
import { formatEuro, sayPrice } from '#apps/shared/format.ts';
import { latePart } from '#apps/shared/late-part.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { LoweredPrice } from '#apps/shared/ui/lowered-price.tsx';
import { feeWords } from '#server/domain/price/pricing.ts';
import { sayOrderFees } from '#server/domain/price/surcharge-words.ts';
import { feesPerOrder } from '#server/domain/price/surcharge.ts';
import { wholeWords } from '#server/domain/seat/seat-name.ts';
import { feesOf, listTotalOf, type Choice } from './choices.ts';
import { HowMany } from './how-many.tsx';
import type { SaleRules } from './opened-rules.ts';
import type { Deal } from '#apps/booking/order/exchange/deal.tsx';
import type { EventReply } from '#apps/booking/shell/replies.ts';
import { NoticeList } from '#apps/booking/event/sale-notice.tsx';
import { nextOfChosen } from '#apps/booking/event/next-price.ts';
import { payWords } from '#apps/booking/event/sale-words.ts';
import lines from '#apps/booking/shell/price-lines.module.css';
import prose from '#apps/booking/shell/page/prose.module.css';
import styles from './selection-summary.module.css';

const RuleHint = latePart(() => import('./rule-hint.tsx').then((part) => part.RuleHint));

interface ChosenSeatsProps {
  page: EventReply;
  /** The total that the buyer is asked for. */
  sum: number | null;
  choices: readonly Choice[];
  /** The price rules that codes and a convention have opened. */
  opened: SaleRules;
  /** What these seats replace; null: nothing. */
  deal: Deal | null;
  onRemove: (index: number) => Promise<void>;
  onCome: (object_id: string, coming: number) => void;
}

export function ChosenSeats(props: ChosenSeatsProps) {
  const { page, choices, opened, onRemove, onCome } = props;
  const { notices } = page;
  const rules = [...page.price_rules, ...opened];
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
            onCome={(coming) => onCome(choice.object_id, coming)}
          />
        ))}
      </ul>
      <NoticeList sentences={sentencesFor(choices, notices)} />
      {rules.length > 0 && (
        <Suspense>
          <RuleHint choices={choices} rules={rules} per_order={feesPerOrder(page.surcharges)} />
        </Suspense>
      )}
      {nextOfChosen(page.next_prices, choices).map((words) => (
        <p key={words} className="small soft">
          {words}
        </p>
      ))}
      <Sums {...props} />
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

type SumsProps = Pick<ChosenSeatsProps, 'choices' | 'page' | 'sum' | 'deal'>;

function Sums({ choices, page, sum, deal }: SumsProps) {
  const per_order = feesPerOrder(page.surcharges);
  const list = listTotalOf(choices, per_order);
  const fee = feeWords(feesOf(choices, per_order));
  const once = sum === null || sum === 0 ? null : sayOrderFees(page.surcharges);
  return (
    <>
      {once !== null && <p className={lines.fee}>{once}</p>}
      <p className={lines.total}>
        <span>{sum === 0 ? 'Totale' : 'Totale (IVA inclusa)'}</span>{' '}
        <strong>{sayPrice(sum)}</strong>
      </p>
      {sum !== null && list !== null && list > sum && (
        <p className="small soft">
          A prezzo intero {formatEuro(list)}: risparmi {formatEuro(list - sum)}.
        </p>
      )}
      {fee !== null && <p className={lines.fee}>{fee}</p>}
      {sum === 0 && deal === null ? (
        <p className="small soft">
          Premi «{payWords(0)}» e scrivi a chi mandare i biglietti. Se poi non puoi venire,
          restituisci i posti dalla pagina dell’ordine. {page.rights.slice(1).join(' ')}
        </p>
      ) : (
        <PayingWords sum={sum} deal={deal} rights={page.rights} />
      )}
      {page.terms !== null && (
        <details className={styles.terms}>
          <summary>Regole di questo spettacolo</summary>
          <div className={prose.rich} dangerouslySetInnerHTML={{ __html: page.terms }} />
        </details>
      )}
    </>
  );
}

type PayingProps = Pick<SumsProps, 'sum' | 'deal'> & { rights: readonly string[] };

function PayingWords({ sum, deal, rights }: PayingProps) {
  return (
    <>
      <p className="small soft">{deal?.terms(sum) ?? payingTerms(sum)}</p>
      <p className="small soft">
        Ai sensi dell’art. 59, comma 1, lett. n), del Codice del consumo non è previsto il diritto
        di recesso. {rights.join(' ')}
      </p>
    </>
  );
}

function payingTerms(sum: number | null): string {
  return `Premendo «${payWords(sum)}» o «Procedi al pagamento» invii un ordine con obbligo di pagare ${formatEuro(sum)}. Verrai portato su Stripe, il nostro partner per i pagamenti: non vediamo i dati della tua carta.`;
}

interface ChosenLineProps {
  choice: Choice;
  tags: readonly string[];
  onRemove: () => Promise<void>;
  onCome: (coming: number) => void;
}

function ChosenLine({ choice, tags, onRemove, onCome }: ChosenLineProps) {
  const { type_label, reason, whole } = choice;
  const title = titleOf(choice);
  return (
    <li className={lines.line}>
      <span className={lines.name}>
        {title}
        {type_label !== null && <span className="soft"> – {type_label}</span>}
        {tags.length > 0 && <span className="small soft"> ({tags.join(', ')})</span>}
        {whole !== null && <WholePrice choice={choice} />}
        {reason !== null && <span className={`small soft ${styles.priceFor}`}>{reason}</span>}
      </span>
      <span className={lines.price}>
        <LoweredPrice {...choice} />
      </span>
      <AsyncButton
        variant="bare"
        className={`ui-dialog-close ${styles.remove}`}
        aria-label={`Togli ${title}`}
        onClick={onRemove}
      >
        <Icon name="cross" />
      </AsyncButton>
      {whole !== null && whole.minimum < whole.places && (
        <HowMany name={choice.name} {...whole} onCome={onCome} />
      )}
    </li>
  );
}

function titleOf({ name, quantity, whole }: Choice): string {
  if (whole !== null) return wholeWords(whole.kind, { name, paid: quantity, places: whole.places });
  return quantity === 1 ? name : `${quantity} × ${name}`;
}

/** What the price is for. */
function WholePrice({ choice: { cents, list_cents, quantity, whole } }: { choice: Choice }) {
  const full = list_cents ?? cents;
  const each = full === null ? null : full / quantity;
  return (
    <span className={`small soft ${styles.priceFor}`}>
      {whole?.price_per === 'object' || each === null
        ? 'Prezzo per tutti i posti'
        : `${formatEuro(each)} a posto`}
    </span>
  );
}

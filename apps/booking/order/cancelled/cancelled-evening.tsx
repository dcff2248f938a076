/**
 * A cancelled evening whose buyers are asked first: the money, another date, or the money left to
 * the house; nothing is preselected (RULES E5).
 */
import { useEffect, useRef } from 'react';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import card from '#apps/booking/shell/page/card.module.css';
import frame from '#apps/booking/shell/page/frame.module.css';
import state from '#apps/booking/order/state.module.css';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Answers, type Question } from './answers.tsx';

interface CancelledEveningProps {
  order: OrderReply;
  question: Question;
  onChanged: () => Promise<unknown>;
}

export function CancelledEvening({ order, question, onChanged }: CancelledEveningProps) {
  const section = useRef<HTMLElement>(null);
  // The button of the mail leads to this anchor.
  useEffect(() => {
    if (location.hash === '#annullato') section.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <>
      <section className={`${state.state} ${state.done}`}>
        <span className={`${state.sign} no-print`}>
          <Icon name="ticket" size={32} />
        </span>
        <h1 className={frame.title} tabIndex={-1} aria-live="polite">
          Evento annullato
        </h1>
        <p className={state.number}>
          Ordine n. <strong>{order.number}</strong>
        </p>
        <p className="soft">Con i biglietti di questo ordine non si entra più.</p>
      </section>
      <section
        ref={section}
        id="annullato"
        className={card.section}
        aria-labelledby="annullato-title"
      >
        <h2 id="annullato-title">
          {question.answer === null && question.may_answer
            ? 'Che cosa preferisci?'
            : 'La tua scelta'}
        </h2>
        <p aria-live="polite">{sayAnswer(question)}</p>
        {question.left !== null && <Receipt order={order} left={question.left} />}
        {question.may_answer && <Answers order={order} question={question} onChanged={onChanged} />}
      </section>
    </>
  );
}

function sayAnswer({ answer, answered_by, may_answer, answer_by, refund_cents }: Question): string {
  const until = formatLongDate(answer_by);
  const sum = formatEuro(refund_cents);
  if (may_answer)
    return answer === 'gift'
      ? `Hai scelto di lasciare ${sum} al teatro. Puoi cambiare idea fino a ${until}.`
      : `Hai pagato ${sum}. Rispondi entro ${until}: se non rispondi, ti rimborsiamo.`;
  if (answer === 'exchange') return 'Hai scelto un’altra data.';
  if (answer === 'gift') return 'Hai lasciato il denaro al teatro: grazie.';
  if (answer === 'refund')
    return answered_by === 'deadline'
      ? 'Il termine per rispondere è passato: ti rimborsiamo.'
      : 'Hai chiesto il rimborso.';
  return 'Il termine per rispondere è passato.';
}

interface ReceiptProps {
  order: OrderReply;
  left: NonNullable<Question['left']>;
}

/** It can be printed; the mail says the same with the payment. */
function Receipt({ order, left }: ReceiptProps) {
  return (
    <p>
      <strong>Ricevuta di erogazione liberale</strong>: {formatEuro(left.amount_cents)} lasciati{' '}
      {formatLongDate(left.left_at)}, dai biglietti dell’ordine n. {order.number} per{' '}
      {order.event.title}. Non è un titolo di accesso e non è una fattura; l’importo è fuori dal
      campo dell’IVA.
    </p>
  );
}

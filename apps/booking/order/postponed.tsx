/**
 * A date that was moved: until a deadline the buyer keeps the ticket, takes another date or asks
 * for the money (RULES E3).
 */
import { useEffect, useRef, useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { answerPostponement } from '#server/contract/postponements.ts';
import { ExchangeChooser } from './exchange/exchange-chooser.tsx';
import card from '#apps/booking/shell/page/card.module.css';
import styles from './refund/refunds.module.css';

type Question = NonNullable<OrderReply['postponement']>;

interface PostponedProps {
  order: OrderReply;
  onChanged: () => Promise<unknown>;
}

export function Postponed({ order, onChanged }: PostponedProps) {
  const { postponement } = order;
  if (!postponement) return null;
  return <PostponedDate order={order} question={postponement} onChanged={onChanged} />;
}

function PostponedDate({ order, question, onChanged }: PostponedProps & { question: Question }) {
  const section = useRef<HTMLElement>(null);
  // The buttons of the mail lead to this anchor.
  useEffect(() => {
    if (location.hash === '#rinvio') section.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <section
      ref={section}
      id="rinvio"
      className={`${card.section} no-print`}
      aria-labelledby="rinvio-title"
    >
      <h2 id="rinvio-title">Spettacolo {question.from_venue ? 'spostato' : 'rinviato'}</h2>
      <WhatMoved question={question} event={order.event} />
      <p aria-live="polite">{sayAnswer(question)}</p>
      {question.may_answer && (
        <Answers order_id={order.order_id} question={question} onChanged={onChanged} />
      )}
    </section>
  );
}

function placeOf({ venue_title, venue_address }: OrderReply['event']): string {
  return [venue_title, venue_address].filter(Boolean).join(', ');
}

interface MovedProps {
  question: Question;
  event: OrderReply['event'];
}

function WhatMoved({
  question: { from_venue, from_starts_at, to_starts_at, reason },
  event,
}: MovedProps) {
  return from_venue === null ? (
    <p>
      Era {formatLongDate(from_starts_at)}, ora è <strong>{formatLongDate(to_starts_at)}</strong>. I
      tuoi biglietti restano validi per la nuova data.
    </p>
  ) : (
    <p>
      Era in {from_venue}, ora è in <strong>{placeOf(event)}</strong>.{' '}
      {reason && `Motivo: ${reason}`}
    </p>
  );
}

function sayAnswer({ answer, may_answer, answer_by, if_silent }: Question): string {
  const until = formatLongDate(answer_by);
  if (answer === 'keep')
    return may_answer
      ? `Hai scelto di tenere il biglietto. Puoi cambiare idea fino a ${until}.`
      : 'Hai tenuto il biglietto.';
  if (answer === 'exchange') return 'Hai scelto un’altra data.';
  if (answer === 'refund') return 'Hai chiesto il rimborso.';
  if (!may_answer) return 'Il termine per rispondere è passato.';
  return if_silent === 'keep'
    ? `Rispondi entro ${until}: se non rispondi, tieni il biglietto.`
    : `Rispondi entro ${until}: se non rispondi, ti rimborsiamo.`;
}

interface AnswersProps {
  order_id: string;
  question: Question;
  onChanged: () => Promise<unknown>;
}

function Answers({ order_id, question, onChanged }: AnswersProps) {
  const [sure, setSure] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const sum = formatEuro(question.refund_cents);

  async function send(answer: 'keep' | 'refund') {
    const body = answer === 'keep' ? { answer } : { answer, expected_cents: question.refund_cents };
    try {
      await call(answerPostponement, { params: { orderId: order_id }, body });
    } finally {
      await onChanged();
    }
    setSure(false);
  }
  if (choosing) return <ExchangeChooser order_id={order_id} onCancel={() => setChoosing(false)} />;
  return (
    <div className={styles.actions}>
      {question.answer === null && (
        <AsyncButton variant="primary" onClick={() => send('keep')}>
          Tieni il biglietto
        </AsyncButton>
      )}
      {question.may_exchange && (
        <button type="button" className="ui-button" onClick={() => setChoosing(true)}>
          Un’altra data
        </button>
      )}
      <AsyncButton onClick={() => setSure(true)}>Chiedi il rimborso</AsyncButton>
      {sure && (
        <ConfirmDialog
          title="Vuoi restituire tutti i biglietti?"
          danger
          text={
            <>
              Ti rimborsiamo <strong>{sum}</strong>, prevendita compresa. I biglietti di questo
              ordine smettono subito di essere validi: non si può tornare indietro.
            </>
          }
          confirmLabel="Sì, chiedi il rimborso"
          cancelLabel="Torna indietro"
          onConfirm={() => send('refund')}
          onCancel={() => setSure(false)}
        />
      )}
    </div>
  );
}

/** The three answers to a cancelled evening; giving money up is asked twice. */
import { useState } from 'react';
import { call } from '#apps/shared/api.ts';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { AsyncButton } from '#apps/shared/ui/async-button.tsx';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import type { OrderReply } from '#apps/booking/shell/replies.ts';
import { ExchangeChooser } from '#apps/booking/order/exchange/exchange-chooser.tsx';
import { answerCancellation } from '#server/contract/cancellations.ts';
import type { ClickedAnswer } from '#server/domain/event/cancellation.ts';
import styles from './answers.module.css';

export type Question = NonNullable<OrderReply['cancellation']>;

interface AnswersProps {
  order: OrderReply;
  question: Question;
  onChanged: () => Promise<unknown>;
}

export function Answers({ order, question, onChanged }: AnswersProps) {
  const [choosing, setChoosing] = useState(false);
  const [asking, setAsking] = useState<ClickedAnswer | null>(null);
  const { order_id } = order;

  async function send(answer: ClickedAnswer) {
    const body = { answer, expected_cents: question.refund_cents };
    try {
      await call(answerCancellation, { params: { orderId: order_id }, body });
    } finally {
      await onChanged();
    }
    setAsking(null);
  }
  if (choosing)
    return <ExchangeChooser isCancelled order_id={order_id} onCancel={() => setChoosing(false)} />;
  return (
    <div className={styles.choices}>
      <AsyncButton onClick={() => setAsking('refund')}>Voglio il rimborso</AsyncButton>
      {question.may_exchange && (
        <button type="button" className="ui-button" onClick={() => setChoosing(true)}>
          Un’altra data
        </button>
      )}
      {question.may_leave && question.answer !== 'gift' && (
        <AsyncButton onClick={() => setAsking('gift')}>Lascio il denaro al teatro</AsyncButton>
      )}
      {asking !== null && (
        <Sure
          answer={asking}
          question={question}
          onConfirm={() => send(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </div>
  );
}

interface SureProps {
  answer: ClickedAnswer;
  question: Question;
  onConfirm: () => Promise<unknown>;
  onCancel: () => void;
}

function Sure({ answer, question, onConfirm, onCancel }: SureProps) {
  const sum = formatEuro(question.refund_cents);
  if (answer === 'refund')
    return (
      <ConfirmDialog
        title="Vuoi il rimborso?"
        text={
          <>
            Ti rimborsiamo <strong>{sum}</strong>. Il rimborso parte subito: non si può tornare
            indietro.
          </>
        }
        confirmLabel="Sì, voglio il rimborso"
        onConfirm={onConfirm}
        onCancel={onCancel}
      />
    );
  return (
    <ConfirmDialog
      title={`Vuoi lasciare ${sum} al teatro?`}
      text={
        <>
          Rinunci al rimborso di <strong>{sum}</strong>: è un’erogazione liberale, senza nulla in
          cambio. Puoi cambiare idea fino a {formatLongDate(question.answer_by)}; poi ti mandiamo la
          ricevuta.
        </>
      }
      confirmLabel={`Sì, lascio ${sum}`}
      onConfirm={onConfirm}
      onCancel={onCancel}
    />
  );
}

/** The dialog in which the office enters the answer of a buyer who telephones (RULES E6). */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { enterDateAnswer, readDateAnswer } from '#server/contract/date-answers.ts';
import { answerNames, answerWord } from '#server/domain/event/answer-words.ts';
import type { EnteredAnswer } from '#server/domain/event/date-answers.ts';
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { ConfirmDialog } from '#apps/shared/ui/confirm-dialog.tsx';
import { Modal } from '#apps/shared/ui/modal.tsx';
import { Radios } from '#apps/admin/kit/form/choices.tsx';
import { Loaded } from '#apps/admin/kit/page/loaded.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import formStyles from '#apps/admin/kit/form/form.module.css';

export type OrderQuestion = NonNullable<ReplyOf<typeof readDateAnswer>['question']>;

interface EnterAnswerProps {
  orderId: string;
  number: string;
  onClose: () => void;
}

export function EnterAnswer({ orderId, number, onClose }: EnterAnswerProps) {
  const read = useEndpoint(readDateAnswer, { params: { orderId } });
  const { question } = read.data ?? {};
  if (question && question.choices.length > 0)
    return <Choose {...{ orderId, number, onClose, question }} />;
  return (
    <Modal title={`La risposta all’ordine ${number}`} onClose={onClose}>
      <Loaded query={read}>
        {() => <p>Non c’è più niente da rispondere per questo ordine.</p>}
      </Loaded>
    </Modal>
  );
}

function Choose({
  orderId,
  number,
  onClose,
  question,
}: EnterAnswerProps & { question: OrderQuestion }) {
  const change = useChange();
  const [answer, setAnswer] = useState<EnteredAnswer | null>(null);
  const { refund_cents: expected_cents, choices } = question;
  const sum = formatEuro(expected_cents);

  async function enter() {
    if (answer === null) return;
    const body = { answer, expected_cents };
    await change(enterDateAnswer, { params: { orderId }, body });
    onClose();
  }
  return (
    <ConfirmDialog
      title={`La risposta all’ordine ${number}`}
      confirmLabel={answer === null ? 'Registra la risposta' : labels(sum)[answer]}
      danger={answer === 'refund'}
      disabled={answer === null}
      onConfirm={enter}
      onCancel={onClose}
      text={
        <div className={formStyles.stack}>
          <p>
            {sayAnswer(question)} Può rispondere fino a {formatLongDate(question.answer_by)}.
          </p>
          <Radios<EnteredAnswer | ''>
            legend="Che cosa vuole l’acquirente"
            value={answer ?? ''}
            onChange={(next) => setAnswer(next === '' ? null : next)}
            options={choices.map((one) => [one, answerNames[one], hints(sum)[one]] as const)}
          />
          <OtherDate orderId={orderId} />
        </div>
      }
    />
  );
}

function sayAnswer({ answer }: OrderQuestion): string {
  return answer === null ? 'Non ha ancora risposto.' : `Ha risposto: ${answerWord(answer)}.`;
}

const hints = (sum: string) =>
  withOther<Record<EnteredAnswer, string>>(
    {
      refund: `${sum}, subito: non si torna indietro.`,
      gift: `Rinuncia a ${sum}. Può cambiare idea fino al termine.`,
      keep: 'Viene alla nuova data. Può cambiare idea fino al termine.',
    },
    newerWord,
  );

const labels = (sum: string) =>
  withOther<Record<EnteredAnswer, string>>(
    {
      refund: `Rimborsa ${sum}`,
      gift: 'Registra: lascia il denaro',
      keep: 'Registra: tiene il biglietto',
    },
    newerWord,
  );

/** The till also exchanges for evenings of other shows. */
function OtherDate({ orderId }: { orderId: string }) {
  return (
    <p>
      Preferisce un’altra data?{' '}
      <Link to={`/sell/exchange/${encodeURIComponent(orderId)}`}>Scegli la data e i posti</Link>
    </p>
  );
}

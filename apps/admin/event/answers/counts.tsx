/** How many orders gave each answer, until when, and the button that writes to the silent. */
import { useState } from 'react';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { askSilentAgain, listDateAnswers } from '#server/contract/date-answers.ts';
import { answerNames } from '#server/domain/event/answer-words.ts';
import { answersTo } from '#server/domain/event/date-answers.ts';
import { formatCount, formatListDate, formatLongDate } from '#apps/shared/format.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { newKey } from '#apps/admin/kit/new-key.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useChange } from '#apps/admin/kit/refresh.ts';
import { useMay } from '#apps/admin/kit/session/session.ts';
import { Link } from 'react-router-dom';

export type Question = NonNullable<ReplyOf<typeof listDateAnswers>['question']>;

interface CountsProps {
  eventId: string;
  question: Question;
}

export function AnswerCounts({ eventId, question }: CountsProps) {
  const { kind, counts, answer_by, open, if_silent } = question;
  const orders = (n: number) => formatCount(n, 'ordine', 'ordini');
  return (
    <Panel wide>
      <h2>Le risposte degli acquirenti</h2>
      <Facts wide>
        <Fact name="Rispondono entro">
          {formatLongDate(answer_by)}
          {open ? `: poi chi tace ${silence[if_silent]}` : ': passato'}
        </Fact>
        <Fact name="Non hanno risposto">{orders(counts.silent)}</Fact>
        {[...answersTo[kind], 'exchange' as const].map((answer) => (
          <Fact key={answer} name={answerNames[answer]}>
            {orders(counts[answer])}
          </Fact>
        ))}
      </Facts>
      <p>
        <Link
          to={`/events/${encodeURIComponent(eventId)}/${kind === 'cancelled' ? 'cancel' : 'postpone'}`}
        >
          {kind === 'cancelled' ? 'Segui i rimborsi' : 'Vedi lo spostamento'}
        </Link>
      </p>
      {open && <AskAgain eventId={eventId} question={question} />}
    </Panel>
  );
}

const silence = { keep: 'tiene il biglietto', refund: 'viene rimborsato' };

/** A mail to each order that is silent and has an address, at most once in an hour. */
function AskAgain({ eventId, question: { silent_orders, asked_again_at } }: CountsProps) {
  const change = useChange();
  const [ask_key, setKey] = useState(newKey);
  if (!useMay(askSilentAgain.who) || silent_orders === 0) return null;
  if (asked_again_at !== null)
    return (
      <p>
        Hai riscritto a chi non ha risposto il {formatListDate(asked_again_at)}: puoi rifarlo dopo
        un’ora. <Link to="/messages">Vedi gli invii</Link>
      </p>
    );
  const mails = formatCount(silent_orders, 'e-mail', 'e-mail');
  const send = async () => {
    const body = { ask_key, recipients: silent_orders };
    await change(askSilentAgain, { params: { eventId }, body });
    setKey(newKey());
  };
  return (
    <p>
      <AskButton
        label={`Riscrivi a chi non ha risposto (${silent_orders})`}
        title="Riscrivere a chi non ha risposto?"
        confirmLabel={`Manda ${mails}`}
        text={
          <p>
            Parte di nuovo l’e-mail con la domanda, a{' '}
            {formatCount(silent_orders, 'ordine', 'ordini')}. Hai un minuto per annullare l’invio,
            tra i messaggi agli acquirenti.
          </p>
        }
        onConfirm={send}
      />
    </p>
  );
}

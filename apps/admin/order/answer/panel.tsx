/** On an order's page: what its buyer answered to a moved or cancelled evening. */
import { useState } from 'react';
import { readDateAnswer } from '#server/contract/date-answers.ts';
import { answerWord } from '#server/domain/event/answer-words.ts';
import { formatEuro, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Order } from '#apps/admin/order/shown-order.ts';
import { EnterAnswer, type OrderQuestion } from './enter-answer.tsx';

export function OrderAnswer({ order }: { order: Order }) {
  const may = useMay(readDateAnswer.who);
  return may && order.state === 'confirmed' ? <Asked order={order} /> : null;
}

function Asked({ order: { order_id: orderId, number } }: { order: Order }) {
  const { data } = useEndpoint(readDateAnswer, { params: { orderId } });
  const [entering, setEntering] = useState(false);
  if (!data?.question) return null;
  const { question } = data;
  return (
    <Panel>
      <h2>{question.kind === 'cancelled' ? 'Evento annullato' : 'Evento spostato'}</h2>
      <AnswerFacts question={question} />
      {question.choices.length > 0 && (
        <p>
          <Button small onClick={() => setEntering(true)} label="Inserisci la risposta…" />
        </p>
      )}
      {entering && (
        <EnterAnswer orderId={orderId} number={number} onClose={() => setEntering(false)} />
      )}
    </Panel>
  );
}

function AnswerFacts({ question }: { question: OrderQuestion }) {
  return (
    <Facts>
      <Fact name="Risposta">
        <b>{answerWord(question.answer)}</b>
      </Fact>
      <Fact name="Rispondono entro">{formatLongDate(question.answer_by)}</Fact>
      {question.choices.length > 0 && (
        <Fact name="Da rimborsare">{formatEuro(question.refund_cents)}</Fact>
      )}
    </Facts>
  );
}

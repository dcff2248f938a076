/** The orders that were asked, each with its answer, who gave it and when. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { listDateAnswers } from '#server/contract/date-answers.ts';
import { answererWord, answerNames } from '#server/domain/event/answer-words.ts';
import type { AnswerFilter } from '#server/domain/event/date-answers.ts';
import { isolate } from '#server/domain/text/direction.ts';
import { withOther } from '#server/domain/text/newer-word.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { SecondLine, Table } from '#apps/admin/kit/list/table.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { newerState, type StateWords } from '#apps/admin/kit/words.ts';
import { ChooseRow, type Chosen } from '#apps/admin/order/bulk.tsx';
import { EnterAnswer } from '#apps/admin/order/answer/enter-answer.tsx';
import tableStyles from '#apps/admin/kit/list/table.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { Question } from './counts.tsx';

type Row = ReplyOf<typeof listDateAnswers>['items'][number];

const answerWords = withOther<Record<AnswerFilter, StateWords>>(
  {
    refund: { word: answerNames.refund, tone: 'primary', icon: 'refresh' },
    exchange: { word: answerNames.exchange, tone: 'good', icon: 'calendar' },
    gift: { word: answerNames.gift, tone: 'good', icon: 'check' },
    keep: { word: answerNames.keep, tone: 'good', icon: 'ticket' },
    silent: { word: answerNames.silent, tone: 'warn', icon: 'clock' },
  },
  newerState,
);

interface AnswerTableProps {
  rows: readonly Row[];
  question: Question;
  chosen: Chosen;
}

export function AnswerTable({ rows, question, chosen }: AnswerTableProps) {
  const [entering, setEntering] = useState<Row | null>(null);
  return (
    <>
      <Table
        cards
        columns={[
          'Acquirente',
          { name: 'Ordine', rem: 10.5 },
          { name: 'Risposta', rem: 15 },
          { name: 'Quando e da chi', rem: 10.5 },
          { hidden: 'Azioni', rem: 14 },
        ]}
      >
        <tbody>
          {rows.map((row) => (
            <AnswerRow
              key={row.order_id}
              row={row}
              open={question.open}
              chosen={chosen}
              onEnter={() => setEntering(row)}
            />
          ))}
        </tbody>
      </Table>
      {entering !== null && (
        <EnterAnswer
          orderId={entering.order_id}
          number={entering.number}
          onClose={() => setEntering(null)}
        />
      )}
    </>
  );
}

interface AnswerRowProps {
  row: Row;
  open: boolean;
  chosen: Chosen;
  onEnter: () => void;
}

function AnswerRow({ row, open, chosen, onEnter }: AnswerRowProps) {
  const { answer, answered_at } = row;
  const mayEnter = open && (answer === null || answer === 'gift' || answer === 'keep');
  return (
    <tr>
      <th scope="row">
        <span className={textStyles.clip}>
          {row.buyer_name === null ? 'Senza nome' : isolate(row.buyer_name)}
        </span>
        <SecondLine>{row.buyer_phone ?? row.buyer_email ?? 'nessun recapito'}</SecondLine>
      </th>
      <td>
        {open && answer === null && (
          <ChooseRow id={row.order_id} number={row.number} chosen={chosen} />
        )}
        <Link
          className={textStyles.code}
          to={`/orders/${encodeURIComponent(row.order_id)}`}
          data-row
        >
          {row.number}
        </Link>
        <SecondLine>
          {formatCount(row.tickets, 'biglietto', 'biglietti')}, {formatEuro(row.total_cents)}
        </SecondLine>
      </td>
      <td>
        <StateBadge {...answerWords[answer ?? 'silent']} />
      </td>
      <td className={tableStyles.aside}>
        {answered_at === null ? '' : formatListDate(answered_at)}
        <SecondLine>{answererWord(row)}</SecondLine>
      </td>
      <td>{mayEnter && <Button small onClick={onEnter} label="Inserisci risposta…" />}</td>
    </tr>
  );
}

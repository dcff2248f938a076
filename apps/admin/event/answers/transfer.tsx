/** Orders without an answer go to another date together: how far they are, and the way to begin. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readTransfer } from '#server/contract/transfers.ts';
import { formatCount, formatLongDate } from '#apps/shared/format.ts';
import { useEndpoint } from '#apps/shared/query.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Progress } from '#apps/admin/kit/progress.tsx';
import { useMay } from '#apps/admin/kit/session/session.ts';
import type { Chosen } from '#apps/admin/order/bulk.tsx';
import formStyles from '#apps/admin/kit/form/form.module.css';
import type { Question } from './counts.tsx';
import { StayingList } from './staying.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

type Told = ReplyOf<typeof readTransfer>;
type Transfer = NonNullable<Told['transfer']>;

interface TransferPanelProps {
  eventId: string;
  question: Question;
  chosen: Chosen;
}

export function TransferPanel({ eventId, question, chosen }: TransferPanelProps) {
  const params = { eventId };
  const read = useEndpoint(readTransfer, { params }, { refetchInterval: 5_000 });
  const [asking, setAsking] = useState(false);
  const mayMove = useMay(readTransfer.who);
  if (read.data === undefined) return null;
  const { dates, transfer } = read.data;
  const isUnderWay = transfer !== null && transfer.finished_at === null;
  const mayAsk = mayMove && question.open && question.counts.silent > 0 && !isUnderWay;
  if (!mayAsk && transfer === null) return null;
  return (
    <Panel wide className={formStyles.stack}>
      <h2>Un’altra data per chi non ha risposto</h2>
      {transfer !== null && <Course transfer={transfer} />}
      {mayAsk && dates.length === 0 && (
        <p>Per portarli su un’altra data serve un’altra data dello spettacolo in vendita.</p>
      )}
      {mayAsk && dates.length > 0 && (
        <p>
          <Button small onClick={() => setAsking(true)} label={wordsOf(question, chosen)} />
        </p>
      )}
      {asking && (
        <TransferDialog {...{ eventId, dates, chosen }} onClose={() => setAsking(false)} />
      )}
    </Panel>
  );
}

function wordsOf({ counts }: Question, { ids }: Chosen): string {
  return ids.length === 0
    ? `Porta su un’altra data (${counts.silent})…`
    : `Porta su un’altra data (${formatCount(ids.length, 'scelto', 'scelti')})…`;
}

function Course({ transfer }: { transfer: Transfer }) {
  const { to, waiting, done, left, finished_at, staying } = transfer;
  const total = waiting + done + left;
  return (
    <>
      <p>
        {finished_at === null ? 'Vanno' : 'Sono andati'} su{' '}
        <Link to={`/events/${encodeURIComponent(to.event_id)}`}>
          {formatLongDate(to.starts_at)}
        </Link>
        : {formatCount(done, 'ordine', 'ordini')}.
      </p>
      {finished_at === null && (
        <Progress label="Ordini portati" unit="orders" done={done + left} total={total} />
      )}
      <StayingList staying={staying} />
    </>
  );
}

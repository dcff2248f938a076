/** What the buyers of a cancelled evening have answered so far (RULES E5). */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import type { readRefundRun } from '#server/contract/order/refunds.ts';
import { formatCount, formatLongDate } from '#apps/shared/format.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';

export function CancelledAnswers({ run }: { run: ReplyOf<typeof readRefundRun> }) {
  const { answers, asks_until, event_id } = run;
  if (answers === null || asks_until === null) return null;
  const count = (orders: number) => formatCount(orders, 'ordine', 'ordini');
  return (
    <Panel>
      <h2>Le risposte degli acquirenti</h2>
      <Facts wide>
        <Fact name="Rispondono entro">{formatLongDate(asks_until)}</Fact>
        <Fact name="Non hanno ancora risposto">{count(answers.silent)}</Fact>
        <Fact name="Rimborso">{count(answers.refund)}</Fact>
        <Fact name="Un’altra data">{count(answers.exchange)}</Fact>
        <Fact name="Lasciano il denaro al teatro">{count(answers.gift)}</Fact>
      </Facts>
      <p>
        <Link to={`/events/${encodeURIComponent(event_id)}/answers`}>
          Le risposte, ordine per ordine
        </Link>
      </p>
    </Panel>
  );
}

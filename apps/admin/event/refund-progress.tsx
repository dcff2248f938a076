/** How far the refunds of a cancelled event have come. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readRefundRun } from '#server/contract/refunds.ts';
import { creditWords } from '#server/domain/order-words.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Fact } from '#apps/admin/kit/facts.tsx';

type Run = ReplyOf<typeof readRefundRun>;

export function RefundProgress({ run }: { run: Run }) {
  return (
    <section className="panel">
      <div className="section-title">
        <h2>Rimborsi</h2>
        <Outcome run={run} />
      </div>
      <progress
        className="progress"
        aria-label="Ordini rimborsati"
        value={run.done}
        max={Math.max(run.refunds, run.orders, 1)}
      />
      <dl className="facts wide-names">
        <Fact name="Rimborsati">
          <b>{run.done.toLocaleString('it-IT')}</b> di{' '}
          {Math.max(run.refunds, run.orders).toLocaleString('it-IT')} · {formatEuro(run.done_cents)}{' '}
          di {formatEuro(Math.max(run.refunds_cents, run.sum_cents))}
        </Fact>
        {run.pending > 0 && (
          <Fact name="In corso">
            {formatCount(run.pending, 'rimborso', 'rimborsi')} · {formatEuro(run.pending_cents)}
          </Fact>
        )}
        {run.to_hand_back > 0 && (
          <Fact name="Da restituire a mano">
            {formatCount(run.to_hand_back, 'ordine', 'ordini')} ·{' '}
            {formatEuro(run.to_hand_back_cents)}
          </Fact>
        )}
        {run.failed > 0 && (
          <Fact name="Non riusciti">
            <span className="note-bad">
              {formatCount(run.failed, 'rimborso', 'rimborsi')} · {formatEuro(run.failed_cents)}
            </span>
          </Fact>
        )}
        {run.open_orders > 0 && (
          <Fact name="Ancora da chiudere">
            {formatCount(run.open_orders, 'ordine non pagato', 'ordini non pagati')}
          </Fact>
        )}
        <Fact name="Annullato">
          {formatListDate(run.created_at)} <span className="soft">da {run.actor}</span>
        </Fact>
        {run.reason !== null && <Fact name="Perché">«{run.reason}»</Fact>}
      </dl>
      {(run.failed > 0 || run.to_hand_back > 0) && (
        <p className="notice notice-warn">
          <Icon name="warning" />{' '}
          <span>
            Qualcosa va chiuso a mano: <Link to="/attention">vai a «Da sistemare»</Link>.
          </span>
        </p>
      )}
      <p className="soft">
        Puoi chiudere questa pagina: i rimborsi continuano da soli. {creditWords}
      </p>
    </section>
  );
}

function Outcome({ run }: { run: Run }) {
  if (run.finished_at === null)
    return (
      <Badge tone="warn" icon="clock">
        In corso
      </Badge>
    );
  if (run.pending > 0)
    return (
      <Badge tone="warn" icon="clock">
        In attesa delle banche
      </Badge>
    );
  return run.failed > 0 || run.to_hand_back > 0 ? (
    <Badge tone="warn" icon="warning">
      Da chiudere a mano
    </Badge>
  ) : (
    <Badge tone="good" icon="check">
      Tutto rimborsato
    </Badge>
  );
}

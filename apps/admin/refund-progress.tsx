/** How far the refunds of a cancelled event have come. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readRefundRun } from '#server/contract/refunds.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Badge } from '#apps/shared/ui/badge.tsx';
import { Icon } from '#apps/shared/ui/icon.tsx';
import { Fact } from './facts.tsx';

export function RefundProgress({ run }: { run: ReplyOf<typeof readRefundRun> }) {
  const walked = run.finished_at !== null;
  return (
    <section className="panel">
      <div className="section-title">
        <h2>Rimborsi</h2>
        {walked && run.pending === 0 && run.failed === 0 && run.to_hand_back === 0 ? <Badge tone="good" icon="check">Tutto rimborsato</Badge> : <Badge tone="warn" icon="clock">{walked ? 'In attesa delle banche' : 'In corso'}</Badge>}
      </div>
      <progress className="progress" aria-label="Ordini rimborsati" value={run.done} max={Math.max(run.refunds, run.orders, 1)} />
      <dl className="facts wide-names">
        <Fact name="Rimborsati"><b>{run.done.toLocaleString('it-IT')}</b> di {Math.max(run.refunds, run.orders).toLocaleString('it-IT')} · {formatEuro(run.done_cents)} di {formatEuro(Math.max(run.refunds_cents, run.sum_cents))}</Fact>
        {run.pending > 0 && <Fact name="In corso">{formatCount(run.pending, 'rimborso', 'rimborsi')} · {formatEuro(run.pending_cents)}</Fact>}
        {run.to_hand_back > 0 && <Fact name="Da restituire a mano">{formatCount(run.to_hand_back, 'ordine', 'ordini')} · {formatEuro(run.to_hand_back_cents)}</Fact>}
        {run.failed > 0 && <Fact name="Non riusciti"><span className="note-bad">{formatCount(run.failed, 'rimborso', 'rimborsi')} · {formatEuro(run.failed_cents)}</span></Fact>}
        {run.open_orders > 0 && <Fact name="Ancora da chiudere">{formatCount(run.open_orders, 'ordine non pagato', 'ordini non pagati')}</Fact>}
        <Fact name="Annullato">{formatListDate(run.created_at)} <span className="soft">da {run.actor}</span></Fact>
        {run.reason !== null && <Fact name="Perché">«{run.reason}»</Fact>}
      </dl>
      {(run.failed > 0 || run.to_hand_back > 0) && <p className="notice notice-warn"><Icon name="warning" /> <span>Qualcosa va chiuso a mano: <Link to="/attention">vai a «Da sistemare»</Link>.</span></p>}
      <p className="soft">Puoi chiudere questa pagina: i rimborsi continuano da soli. L’accredito può richiedere fino a 10 giorni lavorativi.</p>
    </section>
  );
}

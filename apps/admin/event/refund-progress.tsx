/** Progress of the refunds of a cancelled event. */
import { Link } from 'react-router-dom';
import type { ReplyOf } from '#server/contract/endpoint.ts';
import { readRefundRun } from '#server/contract/order/refunds.ts';
import { creditWords } from '#server/domain/order/order-words.ts';
import { formatCount, formatEuro, formatListDate } from '#apps/shared/format.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Notice } from '#apps/admin/kit/page/notice.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Progress } from '#apps/admin/kit/progress.tsx';
import { StateBadge } from '#apps/admin/kit/state-badge.tsx';
import { RefundActs } from './refund-acts.tsx';
import panelStyles from '#apps/admin/kit/page/panel.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';

type Run = ReplyOf<typeof readRefundRun>;

export function RefundProgress({ run }: { run: Run }) {
  const total = totalOf(run);
  return (
    <Panel>
      <div className={panelStyles.title}>
        <h2>Rimborsi</h2>
        <Outcome run={run} />
        <RefundActs
          runId={run.run_id}
          act={actOf(run)}
          done={run.refunds - run.unsent}
          total={total}
        />
      </div>
      <Progress label="Ordini rimborsati" unit="refunds" done={run.done} total={total} />
      <RunFacts run={run} />
      {run.failed > 0 && (
        <Notice tone="warn">
          Qualche rimborso non è riuscito: <Link to="/attention">vai a «Da sistemare»</Link>.
        </Notice>
      )}
      <p className={textStyles.soft}>
        {sayNext(run)} {creditWords}
      </p>
    </Panel>
  );
}

/** Once it has ended, what went into other dates or was left to the house is no refund. */
function totalOf({ finished_at, refunds, orders }: Run): number {
  return finished_at === null ? Math.max(refunds, orders) : refunds;
}

function wholeOf({ finished_at, refunds_cents, sum_cents }: Run): number {
  return finished_at === null ? Math.max(refunds_cents, sum_cents) : refunds_cents;
}

function sayNext(run: Run): string {
  if (actOf(run) === 'resume')
    return 'I rimborsi sono fermi: non parte nulla finché qualcuno non li riprende.';
  if (run.finished_at !== null) return '';
  if (run.begins_at !== null) return 'Tra un minuto comincia: fino ad allora si può ritirare.';
  return run.asking
    ? 'Chi chiede il rimborso lo riceve subito; finito il tempo per rispondere, gli altri partono da soli.'
    : 'Puoi chiudere questa pagina: i rimborsi continuano da soli.';
}

function RunFacts({ run }: { run: Run }) {
  return (
    <Facts wide>
      <Fact name="Rimborsati">
        {formatEuro(run.done_cents)} di {formatEuro(wholeOf(run))}
      </Fact>
      {run.pending > 0 && (
        <Fact name="In corso">
          {formatCount(run.pending, 'rimborso', 'rimborsi')} · {formatEuro(run.pending_cents)}
        </Fact>
      )}
      {run.to_hand_back > 0 && (
        <Fact name="Da restituire a mano">
          {formatCount(run.to_hand_back, 'ordine', 'ordini')} · {formatEuro(run.to_hand_back_cents)}
        </Fact>
      )}
      {run.left > 0 && (
        <Fact name="Lasciati al teatro">
          {formatCount(run.left, 'ordine', 'ordini')} · {formatEuro(run.left_cents)}
        </Fact>
      )}
      {run.failed > 0 && (
        <Fact name="Non riusciti">
          <span className={textStyles.bad}>
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
        {formatListDate(run.created_at)} <span className={textStyles.soft}>da {run.actor}</span>
      </Fact>
      {run.reason !== null && <Fact name="Perché">«{run.reason}»</Fact>}
    </Facts>
  );
}

function actOf({ begins_at, finished_at, unsent, halted_at }: Run): 'stop' | 'resume' | null {
  if (begins_at !== null) return null;
  if (finished_at !== null && unsent === 0) return null;
  return halted_at === null ? 'stop' : 'resume';
}

function Outcome({ run }: { run: Run }) {
  if (run.begins_at !== null) return <StateBadge tone="warn" icon="clock" word="Parte tra poco" />;
  if (actOf(run) === 'resume') return <StateBadge tone="warn" icon="warning" word="Fermi" />;
  if (run.finished_at === null && run.asking)
    return <StateBadge tone="neutral" icon="clock" word="Aspetta le risposte" />;
  if (run.finished_at === null) return <StateBadge tone="warn" icon="clock" word="In corso" />;
  if (run.pending > 0) return <StateBadge tone="warn" icon="clock" word="In attesa delle banche" />;
  return run.failed > 0 || run.to_hand_back > 0 ? (
    <StateBadge tone="warn" icon="warning" word="Da chiudere a mano" />
  ) : (
    <StateBadge
      tone="good"
      icon="check"
      word={run.left > 0 ? 'Tutto chiuso' : 'Tutto rimborsato'}
    />
  );
}

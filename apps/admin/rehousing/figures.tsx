/** The figures of the proposal. */
import { formatEuro } from '#apps/shared/format.ts';
import { Fact, Facts } from '#apps/admin/kit/page/facts.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { Plan } from './plan.ts';
import styles from './rehousing.module.css';

export function Figures({ plan: { counts, cost, order_kept } }: { plan: Plan }) {
  const number = (count: number) => count.toLocaleString('it-IT');
  return (
    <Panel aria-label="La proposta in cifre">
      <Facts className={styles.figures}>
        <Fact name="Biglietti">{number(counts.tickets)}</Fact>
        <Fact name="Cambiano posto">{number(counts.moves)}</Fact>
        <Fact name="Restano dove sono">{number(counts.stays)}</Fact>
        <Fact name="Gruppi divisi">{number(cost.split)}</Fact>
        <Fact name="In categoria inferiore">{number(cost.lower)}</Fact>
        {counts.lost_without > 0 && (
          <Fact name="Da rimborsare per la categoria">
            {number(counts.lost_without - counts.lost_with_refunds)}
          </Fact>
        )}
        <Fact name="Posti isolati">{number(cost.alone)}</Fact>
        {order_kept.pairs > 0 && (
          <Fact name="Ordine mantenuto">
            {number(Math.floor((100 * order_kept.kept) / order_kept.pairs))} %
          </Fact>
        )}
        {counts.refunded > 0 && <Fact name="Da rimborsare">{number(counts.refunded)}</Fact>}
        <Fact name="Non sistemati">
          <span className={counts.unplaced > 0 ? textStyles.bad : undefined}>
            <b>{number(counts.unplaced)}</b>
          </span>
        </Fact>
        {counts.refund_cents > 0 && (
          <Fact name="Differenze">{formatEuro(counts.refund_cents)}</Fact>
        )}
      </Facts>
    </Panel>
  );
}

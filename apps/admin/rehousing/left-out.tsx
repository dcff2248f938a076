/** Those for whom the new hall has no place: each is marked for a refund, or waits. */
import { isolate } from '#server/domain/text/direction.ts';
import { Link } from 'react-router-dom';
import { formatCount, formatEuro } from '#apps/shared/format.ts';
import { Button } from '#apps/admin/kit/button.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import buttonStyles from '#apps/admin/kit/buttons.module.css';
import textStyles from '#apps/admin/kit/page/text.module.css';
import { isMarked, isUnplaced, unplacedWords, type Group, type Plan } from './plan.ts';
import type { usePlan } from './use-plan.ts';
import styles from './rehousing.module.css';

interface LeftOutProps {
  plan: Plan;
  working: ReturnType<typeof usePlan>;
}

export function LeftOut({ plan, working }: LeftOutProps) {
  const open = plan.groups.filter(isUnplaced);
  const marked = plan.groups.filter(isMarked);
  const all = [...open, ...marked.filter((group) => !isUnplaced(group))];
  if (all.length === 0) return null;
  const cents = all.reduce((sum, { back_cents }) => sum + back_cents, 0);
  return (
    <Panel aria-labelledby="left-out">
      <h3 id="left-out">Chi resta senza posto</h3>
      <p>
        {formatCount(all.length, 'ordine', 'ordini')}, <b>{formatEuro(cents)}</b> in tutto. Chi è
        segnato riceve indietro quanto ha pagato, commissioni comprese, quando il cambio è fatto: se
        lo annulli, non si rimborsa nessuno. Chi ha pagato in contanti è fra i rimborsi da fare a
        mano; un ordine non ancora pagato si chiude.
      </p>
      <ul className={styles.leftOut}>
        {all.map((group) => (
          <LeftOutGroup key={group.order_id} group={group} working={working} />
        ))}
      </ul>
      <div className={buttonStyles.actions}>
        {open.length > 0 && (
          <Button
            small
            busy={working.busy}
            onClick={() => void working.mark(open, true)}
            label={`Segna tutti per il rimborso (${formatCount(open.length, 'ordine', 'ordini')})`}
          />
        )}
        {marked.length > 1 && (
          <Button
            small
            look="quiet"
            busy={working.busy}
            onClick={() => void working.mark(marked, false)}
            label="Non rimborsare nessuno"
          />
        )}
      </div>
    </Panel>
  );
}

function LeftOutGroup({ group, working }: { group: Group; working: LeftOutProps['working'] }) {
  const { order_id, number, buyer_name, lines, back_cents } = group;
  const out = lines.filter(({ to_object }) => to_object === null);
  const isOpen = isUnplaced(group);
  return (
    <li>
      <span>
        <b>{isolate(buyer_name ?? 'Senza nome')}</b>{' '}
        <Link className={textStyles.code} to={`/orders/${encodeURIComponent(order_id)}`}>
          {number}
        </Link>{' '}
        {formatCount(out.length, 'biglietto', 'biglietti')}, {formatEuro(back_cents)}
        <span className={`${textStyles.soft} ${textStyles.block}`}>
          {isOpen ? unplacedWords[out[0]?.reason ?? 'hall_full'].why : 'Si rimborsa con il cambio.'}
        </span>
      </span>
      <Button
        small
        look={isOpen ? undefined : 'quiet'}
        busy={working.busy}
        onClick={() => void working.mark([group], isOpen)}
        label={isOpen ? 'Segna per il rimborso' : 'Non rimborsare'}
      />
    </li>
  );
}

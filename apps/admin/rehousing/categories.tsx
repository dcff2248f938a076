/** Maps each new category to an old one, which decides about seats and refunds. */
import { useState } from 'react';
import { proposeRehousing } from '#server/contract/rehousings.ts';
import { AskButton } from '#apps/admin/kit/ask-button.tsx';
import { useAct } from '#apps/admin/kit/session/session.ts';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import { Choice } from '#apps/admin/kit/list/filters.tsx';
import type { Plan } from './plan.ts';
import { useStorePlan } from './use-plan.ts';
import styles from './rehousing.module.css';

export function Categories({ eventId, plan }: { eventId: string; plan: Plan }) {
  const act = useAct();
  const { keepProposal } = useStorePlan(eventId);
  const [as, setAs] = useState(() =>
    Object.fromEntries(plan.categories.map(({ key, sold_as }) => [key, sold_as ?? ''])),
  );
  const isSame = plan.categories.every(({ key, sold_as }) => as[key] === (sold_as ?? ''));
  const categories = Object.fromEntries(Object.entries(as).filter(([, name]) => name !== ''));
  const body = { chart_key: plan.chart_key, categories };
  return (
    <Panel>
      <details>
        <summary>Categorie della nuova sala</summary>
        <div className={styles.categories}>
          {plan.categories.map(({ key, label }) => (
            <div key={key}>
              <span>
                <b>{label}</b> si vende come
              </span>
              <Choice
                label={`${label} si vende come`}
                all="Non in vendita"
                value={as[key] ?? ''}
                options={plan.sold_categories.map((name) => [name, name])}
                onChange={(name) => setAs({ ...as, [key]: name })}
              />
            </div>
          ))}
          <AskButton
            label="Rifai la proposta…"
            disabled={isSame}
            title="Rifare la proposta?"
            text="Con queste categorie i posti si propongono da capo: le scelte fatte a mano si perdono."
            confirmLabel="Rifai la proposta"
            onConfirm={async () =>
              keepProposal(await act(proposeRehousing, { params: { eventId }, body }))
            }
          />
        </div>
      </details>
    </Panel>
  );
}

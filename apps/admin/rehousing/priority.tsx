/** Who gets a place first: the criteria in their order, of which two may change places. */
import { placedFirst, type PlacedFirst } from '#server/domain/seat/rehousing-priority.ts';
import { Segments } from '#apps/admin/kit/form/choices.tsx';
import { Panel } from '#apps/admin/kit/page/panel.tsx';
import textStyles from '#apps/admin/kit/page/text.module.css';
import type { Plan } from './plan.ts';
import type { usePlan } from './use-plan.ts';
import styles from './rehousing.module.css';

const criteria: Record<PlacedFirst, { short: string; long: string }> = {
  dearer: {
    short: 'Prima i biglietti più cari',
    long: 'I biglietti più cari; un ordine di due prezzi conta come il più caro.',
  },
  earlier: { short: 'Prima chi ha comprato prima', long: 'Chi ha comprato prima.' },
};

const onlyDearer =
  ': nessuno resta fuori mentre un biglietto meno caro ha un posto nella sua categoria';

interface PriorityProps {
  plan: Plan;
  working: ReturnType<typeof usePlan>;
}

export function Priority({ plan, working }: PriorityProps) {
  // A newer version may have stored another word.
  const first = placedFirst.find((one) => one === plan.placed_first) ?? 'dearer';
  const inOrder = [first, ...placedFirst.filter((one) => one !== first)];
  return (
    <Panel aria-labelledby="priority">
      <h3 id="priority">2. Chi viene prima</h3>
      <p className={textStyles.soft}>
        Conta quando i posti non bastano{first === 'dearer' && onlyDearer}. Se cambi l’ordine, il
        resto si risolve di nuovo: le scelte fatte a mano restano.
      </p>
      <Segments
        legend="Dopo le sedie a rotelle"
        value={first}
        options={placedFirst.map((one) => [one, criteria[one].short])}
        onChange={(one) => void working.solve(one)}
      />
      <ol className={styles.order}>
        <li>Sedie a rotelle e accompagnatori.</li>
        {inOrder.map((one) => (
          <li key={one}>{criteria[one].long}</li>
        ))}
        <li>
          Gruppi uniti, stessa categoria, vicinanza al palco; chi era più avanti resta più avanti.
        </li>
      </ol>
    </Panel>
  );
}

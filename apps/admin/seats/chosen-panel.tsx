/** Several chosen seats: how many there are of each state and contingent. */
import { seatStates } from '#server/domain/seat/seat-state.ts';
import { formatCount } from '#apps/shared/format.ts';
import { SeatMark } from './figures.tsx';
import type { OfficeSeat } from './seats.ts';
import { Swatch } from '#apps/admin/seats/kept/swatch.tsx';
import { seatStateWords } from '#apps/admin/kit/words.ts';
import styles from '#apps/admin/seats/kept/blocks.module.css';
import panelStyles from './panel.module.css';

export function ChosenCounts({ seats }: { seats: readonly OfficeSeat[] }) {
  const named = seats.filter(({ isArea }) => !isArea);
  const counts = seatStates
    .map((state) => ({ state, count: named.filter((seat) => seat.state === state).length }))
    .filter(({ count }) => count > 0);
  const kept = named.flatMap(({ contingent, occupant }) =>
    occupant === null ? (contingent ?? []) : [],
  );
  const contingents = new Map(kept.map((one) => [one.contingent_id, one]));
  return (
    <div className={panelStyles.panel}>
      <h2>{formatCount(named.length, 'posto scelto', 'posti scelti')}</h2>
      <ul className={styles.counts}>
        {counts.map(({ state, count }) => (
          <li key={state}>
            <SeatMark state={state} />
            {count === 1 ? seatStateWords[state].word : seatStateWords[state].many}
            <b>{count.toLocaleString('it-IT')}</b>
          </li>
        ))}
        {[...contingents.values()].map(({ contingent_id, color, name }) => (
          <li key={contingent_id}>
            <Swatch color={color} /> Per {name}
            <b>
              {kept
                .filter((one) => one.contingent_id === contingent_id)
                .length.toLocaleString('it-IT')}
            </b>
          </li>
        ))}
      </ul>
    </div>
  );
}

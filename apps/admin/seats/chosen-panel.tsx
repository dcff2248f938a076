/** Several chosen seats together: how many of each state and of each contingent, and what can be done with them. */
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
  const kept = Map.groupBy(
    named.filter(({ contingent, occupant }) => contingent !== null && occupant === null),
    ({ contingent }) => contingent!.contingent_id,
  );
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
        {[...kept.values()].map((own) => (
          <li key={own[0]!.contingent!.contingent_id}>
            <Swatch color={own[0]!.contingent!.color} /> Per {own[0]!.contingent!.name}
            <b>{own.length.toLocaleString('it-IT')}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

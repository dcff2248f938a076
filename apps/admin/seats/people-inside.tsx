/** The people of one object on the map, one line each: name, type, order. */
import { Link } from 'react-router-dom';
import { isolate } from '#server/domain/text/direction.ts';
import { SeatState } from './figures.tsx';
import type { Occupant, OfficeSeat } from './seats.ts';
import textStyles from '#apps/admin/kit/page/text.module.css';
import styles from './panel.module.css';

export type TakenSeat = OfficeSeat & { occupant: Occupant };

export function isTaken(seat: OfficeSeat): seat is TakenSeat {
  return seat.occupant !== null;
}

export function PeopleInside({ people }: { people: readonly TakenSeat[] }) {
  return (
    <ul className={styles.people}>
      {people.map(({ place, state, occupant, inWhole, seat }) => (
        <li key={place}>
          <SeatState state={state} />
          <span>
            {inWhole && `Posto ${seat}: `}
            {isolate(occupant.holder ?? occupant.buyer_name ?? 'Non ancora indicato')}{' '}
            <span className={textStyles.soft}>{occupant.type_label}</span>
          </span>
          <Link className={textStyles.code} to={`/orders/${encodeURIComponent(occupant.order_id)}`}>
            {occupant.order_number}
          </Link>
        </li>
      ))}
    </ul>
  );
}

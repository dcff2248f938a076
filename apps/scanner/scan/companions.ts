/** The rest of the order: the other people who may go in with the guest at the door. */
import { mayComeBack, type Direction } from '#server/domain/door/admission.ts';
import { isGood, isLetGo } from '#server/domain/door/kept.ts';
import { orderGroupsOf } from '#server/domain/door/door-block.ts';
import { placeOf, type Place } from '#apps/scanner/list/image.ts';
import { standingIn, type DoorList } from '#apps/scanner/list/list.ts';

export type Companion = Pick<Place, 'place' | 'seat' | 'category'> &
  Pick<NonNullable<Place['ticket']>, 'type_label' | 'initials'>;

/** The good tickets of an order, by what this phone knows. */
export interface Party {
  /**
   * The tickets that may follow the one that was read: in if they are outside, out if they are
   * inside.
   */
  companions: Companion[];
  /** All of them, with the one that was read. */
  size: number;
  inside: number;
  /** When the asking phone let in the last of those inside; null: it let in none of them. */
  let_in_at: number | null;
}

/** After this time a guest with an old picture of the code must not bring the order's rest in. */
const readAgainMs = 60_000;

/** Whether the rest may still follow a ticket that is read again after its entry. */
export function mayFollowAgain({ let_in_at }: Party, now: number): boolean {
  return let_in_at !== null && Math.abs(now - let_in_at) <= readAgainMs;
}

/** `text`: the place that was read, whose table comes first among the companions. */
export function partyOf(
  list: DoorList,
  text: string,
  {
    order_group,
    direction = 'in',
    phone_id,
    event,
    now,
  }: {
    order_group: string;
    direction?: Direction;
    phone_id?: string;
    event: { reentry: boolean; starts_at: number };
    now: number;
  },
): Party {
  const party: Party = { companions: [], size: 0, inside: 0, let_in_at: null };
  for (const whole of orderPlaces(list, order_group)) {
    const { place, seat, category, ticket } = whole;
    if (!ticket || !isGood(ticket.state)) continue;
    const { last } = standingIn(list, whole, { place, revision: ticket.revision });
    const isInside = last?.direction === 'in';
    const mayEnter =
      last === null
        ? !isLetGo(ticket, event.starts_at, now)
        : !isInside && mayComeBack(ticket, event);
    party.size += 1;
    if (isInside) party.inside += 1;
    if (isInside && phone_id !== undefined && last.phone_id === phone_id)
      party.let_in_at = Math.max(party.let_in_at ?? last.at, last.at);
    if (place === text || !(direction === 'in' ? mayEnter : isInside)) continue;
    const { type_label, initials } = ticket;
    party.companions.push({ place, seat, category, type_label, initials });
  }
  const read = partsOf(text);
  const rankOf = ({ place }: Companion) => {
    const { object, number } = partsOf(place);
    return object === read.object ? number : Number.MAX_SAFE_INTEGER;
  };
  party.companions.sort((a, b) => rankOf(a) - rankOf(b));
  return party;
}

/** A place of a table is the table's name, `#` and a number. */
function partsOf(place: string): { object: string; number: number } {
  const [object = '', number] = place.split('#');
  return { object, number: Number(number ?? 0) };
}

/** Orders are referred to by index, so the loop over the column compares numbers. */
function orderPlaces({ image, changed, stale }: DoorList, order_group: string): Place[] {
  const found: Place[] = [];
  const wanted = orderGroupsOf(image).indexOf(order_group) + 1;
  if (wanted > 0 && order_group !== '') {
    for (let row = 0; row < image.count; row += 1) {
      const ticket = image.ticket_at[row] ?? -1;
      if (ticket >= 0 && stale[row] === 0 && image.order_group[ticket] === wanted)
        found.push(placeOf(image, row));
    }
  }
  for (const place of changed.values())
    if (order_group !== '' && place.ticket?.order_group === order_group) found.push(place);
  return found;
}

/** The rest of the order: the other people who may go in with the guest at the door. */
import { orderGroupsOf } from '#server/domain/door/door-block.ts';
import { placeOf, type Place } from '#apps/scanner/list/image.ts';
import { scansIn, standingAmong, type DoorList } from '#apps/scanner/list/list.ts';

export type Companion = Pick<Place, 'place' | 'seat' | 'category'> &
  Pick<NonNullable<Place['ticket']>, 'type_label' | 'initials'>;

/** Other valid tickets of the same order whose holders are outside now and may come in. */
export function companionsOf(
  list: DoorList,
  text: string,
  order_group: string,
  reentry: boolean,
): Companion[] {
  return orderPlaces(list, order_group).flatMap(({ place, seat, category, ticket }) => {
    const isIn = place === text || ticket?.state !== 'valid';
    if (isIn || !isOutside(list, place, ticket.revision, reentry)) return [];
    const { type_label, initials } = ticket;
    return [{ place, seat, category, type_label, initials }];
  });
}

function isOutside(list: DoorList, place: string, revision: number, reentry: boolean): boolean {
  const { last } = standingAmong(scansIn(list, place), revision);
  return last === null || (last.direction === 'out' && reentry);
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

/** The cheapest seating of a small house by trying all of them: an independent measure for the proposal (branch and bound). */
import { costOf, mayTake, type Group, type HallPlace } from '#server/domain/seat/rehousing.ts';

export const unplacedCost = 10_000;

/** Unplaced groups cost 10,000 a guest. `atMost`: what is known to be possible. */
export function leastCost(
  hall: readonly HallPlace[],
  groups: readonly Group[],
  atMost: number,
): number {
  const guests = groups.flatMap((group) => group.guests.map((guest) => ({ guest, group })));
  const costAt = guests.map(({ guest, group }) =>
    hall.map((place) => {
      if (!mayTake(guest, group, place)) return Infinity;
      return (place.rank! > guest.rank ? 50 : 0) + Math.max(0, place.distance - guest.distance);
    }),
  );
  const least = costAt.map((costs) => Math.min(unplacedCost, ...costs));
  const beyond = least.map((_, at) => least.slice(at).reduce((sum, cost) => sum + cost, 0));
  const seats = new Map<string, string>();
  const taken = new Set<number>();
  let best = atMost + 1e-6;
  const visit = (at: number, sum: number, outside: number): void => {
    if (sum + outside + (beyond[at] ?? 0) >= best) return;
    const next = guests[at];
    if (!next) {
      best = Math.min(best, costOf(hall, groups, { seats }).total + outside);
      return;
    }
    const { guest, group } = next;
    const order = [...hall.keys()].filter((place) => !taken.has(place));
    order.sort((a, b) => costAt[at]![a]! - costAt[at]![b]!);
    for (const place of order) {
      const cost = costAt[at]![place]!;
      if (cost === Infinity) break;
      taken.add(place);
      seats.set(guest.id, hall[place]!.label);
      visit(at + 1, sum + cost, outside);
      seats.delete(guest.id);
      taken.delete(place);
    }
    // All of a group or none.
    if (group.guests[0] === guest)
      visit(at + group.guests.length, sum, outside + unplacedCost * group.guests.length);
  };
  visit(0, 0, 0);
  return best;
}

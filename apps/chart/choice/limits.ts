/** How many places a visitor may choose: `maxSelectedObjects` in all its forms. */
import type { Limit, LimitRule } from '#apps/chart/config.ts';
import { isCategory } from '#apps/chart/places/places.ts';
import { placeCategory, type Scene } from '#apps/chart/scene/scene.ts';

interface Chosen {
  scene: Scene;
  /** The chosen objects; `counts` has an object's places by ticket type. */
  all: () => readonly number[];
  counts: (i: number) => ReadonlyMap<string, number>;
  /** The number of all chosen places. */
  total: number;
}

/** How many more places of this kind may be chosen; Infinity without a limit. */
export function leftFor(
  limit: Limit | null | undefined,
  { place, type }: { place: number; type: string },
  chosen: Chosen,
): number {
  if (limit === undefined || limit === null) return Infinity;
  const count = (isCounted: (i: number, ticketType: string) => boolean) =>
    chosen
      .all()
      .reduce(
        (all, i) =>
          all +
          [...chosen.counts(i)].reduce(
            (sum, [ticketType, number]) => (isCounted(i, ticketType) ? sum + number : sum),
            0,
          ),
        0,
      );
  if (typeof limit === 'number') return limit - chosen.total;
  const category = placeCategory(chosen.scene, place);
  const rests = limit
    .filter((rule) => fits(rule, chosen.scene, category))
    .flatMap((rule) => {
      const isInside = (i: number) =>
        rule.category === undefined || chosen.scene.category[i] === category;
      const ofType = (wanted: string, quantity: number) =>
        wanted === type
          ? [quantity - count((i, ticketType) => isInside(i) && ticketType === wanted)]
          : [];
      return [
        ...(rule.total === undefined ? [] : [rule.total - chosen.total]),
        ...(rule.quantity === undefined || rule.ticketType !== undefined
          ? []
          : [rule.quantity - count(isInside)]),
        ...(rule.quantity === undefined || rule.ticketType === undefined
          ? []
          : ofType(rule.ticketType, rule.quantity)),
        ...(rule.ticketTypes ?? []).flatMap(({ ticketType, quantity }) =>
          ofType(ticketType, quantity),
        ),
      ];
    });
  return Math.min(Infinity, ...rests);
}

function fits(rule: LimitRule, { chart }: Scene, category: number): boolean {
  const own = chart.categories[category];
  return rule.category === undefined || (own !== undefined && isCategory(rule.category, own));
}

/** Price rules in force on the wire: what a page needs to reckon a cart (RULES P6, P7). */
import * as v from 'valibot';

const names = v.nullable(v.array(v.string()));

const base = () => ({
  id: v.string(),
  name: v.string(),
  /** Labels of categories, and ticket types; null: all. */
  scope: v.object({ categories: names, ticket_types: names }),
  meets: v.boolean(),
});

const everyRule = () =>
  v.object({
    ...base(),
    kind: v.literal('every'),
    n: v.number(),
    k: v.number(),
    price_cents: v.number(),
    grouped: v.picklist(['cheapest', 'best']),
    spread: v.boolean(),
    least_cents: v.nullable(v.number()),
    most: v.number(),
  });

const packageRule = () =>
  v.object({
    ...base(),
    kind: v.literal('package'),
    parts: v.array(v.object({ ticket_types: v.array(v.string()), count: v.number() })),
    price_cents: v.number(),
    most: v.number(),
  });

const groupRule = () =>
  v.object({
    ...base(),
    kind: v.literal('group'),
    from_places: v.number(),
    percent: v.nullable(v.number()),
    price_cents: v.nullable(v.number()),
    free_every: v.nullable(v.number()),
  });

/** Exactly one of `percent` and `off_cents` is set; either is taken off the list price. */
const less = () => ({ percent: v.nullable(v.number()), off_cents: v.nullable(v.number()) });

const convention = () => v.object({ ...base(), kind: v.literal('convention'), ...less() });

/**
 * Rules that count for every buyer. Channels and times are left out, because only rules that count
 * now are told. Each endpoint makes its own, whose parts have names of their own in the OpenAPI
 * document.
 */
export const saleRules = () =>
  v.array(v.variant('kind', [everyRule(), packageRule(), groupRule()]));

/** Agreements from which a buyer may choose one; its name says which card is shown. */
export const saleConventions = () => v.array(convention());

/** A rule that a code has opened. */
export const openedRule = () =>
  v.variant('kind', [
    everyRule(),
    packageRule(),
    groupRule(),
    v.object({ ...base(), kind: v.literal('code'), ...less() }),
  ]);

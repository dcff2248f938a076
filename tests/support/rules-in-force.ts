/** Price rules of a house in a test, written as rows. */
import type { EveryRule, GroupRule, PackageRule } from '#server/domain/price/rule.ts';
import type { TestServer } from './server.ts';

type RuleContent = Omit<EveryRule, 'id'> | Omit<PackageRule, 'id'> | Omit<GroupRule, 'id'>;

const scope = { categories: null, ticket_types: null, channels: null, from: null, until: null };

/** Of every three tickets of full price the cheapest is free, its sum spread over the three. */
export const threeForTwo: Omit<EveryRule, 'id'> = {
  kind: 'every',
  name: '3x2',
  scope: { ...scope, ticket_types: ['intero'] },
  meets: false,
  n: 3,
  k: 1,
  price_cents: 0,
  grouped: 'cheapest',
  spread: true,
  least_cents: null,
  most: 10,
};

/** One ticket of full price and one reduced one for 40,00 €. */
export const couple: Omit<PackageRule, 'id'> = {
  kind: 'package',
  name: 'Coppia',
  scope,
  meets: false,
  parts: [
    { ticket_types: ['intero'], count: 1 },
    { ticket_types: ['ridotto'], count: 1 },
  ],
  price_cents: 4_000,
  most: 5,
};

/** A rule that counts from now on, for one date or the whole house; returns its id. */
export async function addRule(
  server: TestServer,
  content: RuleContent,
  event_id: string | null = null,
): Promise<string> {
  const { ctx } = server.house;
  const id = ctx.newId();
  await ctx.db('price_rules').insert({
    id,
    event_id,
    show_id: null,
    content: JSON.stringify(content),
    created_at: ctx.now(),
    created_by: null,
    ended_at: null,
  });
  return id;
}

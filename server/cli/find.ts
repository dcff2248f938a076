/** Finds the order or phone that a person names on the command line, or refuses. */
import { findOrder } from '#db/order/orders.ts';
import { listPhones } from '#db/door/phones.ts';
import type { OrderRow, PhoneRow } from '#db/rows.ts';
import { orderIdsByCode } from '#db/office/search.ts';
import { foldText } from '#server/domain/text/search.ts';
import type { Ctx } from '#server/services/context.ts';
import { Refused } from './command.ts';

/** Finds an order by number, id, payment, receipt or ticket. @throws Refused */
export async function orderNamed(ctx: Ctx, text: string): Promise<OrderRow> {
  const ids = text.includes('@') ? [] : await orderIdsByCode(ctx.db, text);
  const order = ids[0] === undefined ? undefined : await findOrder(ctx.db, ids[0]);
  if (order === undefined) throw new Refused(`Nessun ordine si chiama «${text}».`);
  return order;
}

const everyPhone = { limit: 500, after: null };

/** Finds a phone by id, or by a name that only one phone has. @throws Refused */
export async function phoneNamed(ctx: Ctx, text: string): Promise<PhoneRow> {
  const phones = await listPhones(ctx.db, { revoked: undefined }, everyPhone);
  const found = phones.filter(({ id, name }) => id === text || foldText(name) === foldText(text));
  const [first, ...others] = found;
  if (first === undefined) throw new Refused(`Nessun telefono si chiama «${text}».`);
  if (others.length === 0) return first;
  const ids = found.map(({ id }) => id).join(', ');
  throw new Refused(`Si chiamano così più telefoni: indica il codice (${ids}).`);
}

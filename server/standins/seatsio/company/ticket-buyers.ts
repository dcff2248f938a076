/** The ids of a company's ticket buyers: a set of uuids. */
import {
  addTicketBuyer,
  pageOfTicketBuyers,
  removeTicketBuyer,
} from '#server/standins/seatsio/statements/ticket-buyers.ts';
import * as v from 'valibot';
import { companyRoute } from './callers.ts';
import { readJson } from '#server/standins/seatsio/router.ts';
import type { Company } from '#server/standins/seatsio/statements/companies.ts';
import type { Writing } from '#server/standins/seatsio/context.ts';
import type { Call, Route } from '#server/standins/seatsio/router.ts';

/** [DOC] The most ids in one request. */
const MOST = 1000;
const body = v.object({
  ids: v.pipe(
    v.array(v.pipe(v.string(), v.uuid('expected format: uuid'), v.toLowerCase())),
    v.maxLength(MOST, `expected maximum item count: ${MOST}`),
  ),
});

/** Sorts the distinct ids of a call into those that changed something and those that did not. */
async function sort(
  ctx: Writing,
  call: Call,
  { company, change }: { company: Company; change: typeof addTicketBuyer },
): Promise<{ changed: string[]; others: string[] }> {
  const ids = [...new Set(readJson(call, body).ids)];

  const sorted = { changed: [] as string[], others: [] as string[] };
  for (const id of ids) {
    const { changes } = await change(ctx.sql, company.id, id);
    (changes > 0 ? sorted.changed : sorted.others).push(id);
  }
  return sorted;
}

export const ticketBuyerRoutes: Route[] = [
  /** -> page of ids, the latest first */
  companyRoute('GET', '/ticket-buyers', async (ctx, call, company) => {
    const page = await pageOfTicketBuyers(ctx.sql, call.query, company.id);
    return { ...page, items: page.items.map(({ buyer_id }) => buyer_id) };
  }),
  /** {ids} -> {added, alreadyPresent} */
  companyRoute('POST', '/ticket-buyers', async (ctx, call, company) => {
    const { changed, others } = await sort(ctx, call, { company, change: addTicketBuyer });
    return { added: changed, alreadyPresent: others };
  }),
  /** {ids} in the body of a DELETE -> {removed, notPresent} */
  companyRoute('DELETE', '/ticket-buyers', async (ctx, call, company) => {
    const { changed, others } = await sort(ctx, call, { company, change: removeTicketBuyer });
    return { removed: changed, notPresent: others };
  }),
];

/** Codes of price rules in tests: the office makes them, visitors book with them. */
import { addRuleCode } from '#server/contract/price-codes.ts';
import { addEventRule } from '#server/contract/price-rules.ts';
import type { CodeLimits } from '#server/domain/price/code.ts';
import type { TypedRule } from '#server/domain/price/typed-rule.ts';
import type { CodeUseRow, PriceCodeRow } from '#db/rows.ts';
import { ask, callOk, demoEvent, recordOf, type Answered, type Booked, type Held } from './make.ts';
import type { TestServer } from './server.ts';
import { typedCode } from './typed-rules.ts';

export type Office = { cookie: string };

const params = { eventId: demoEvent };
export const unlimited: CodeLimits = {
  most_orders: null,
  most_tickets: null,
  most_orders_a_day: null,
  most_orders_an_address: null,
};

/** A code that takes half the price of each ticket, or opens another rule; returns both ids. */
export async function makeCode(
  server: TestServer,
  admin: Office,
  { spelling = 'META-26', rule = typedCode({ percent: 50 }), ...limits }: MadeCode = {},
): Promise<{ rule_id: string; code_id: string }> {
  const { rule_id } = await callOk(server, addEventRule, { params, body: rule }, admin);
  const body = { spelling, holder: null, ...unlimited, ...limits };
  const asked = { params: { ruleId: rule_id }, body };
  const { code_id } = await callOk(server, addRuleCode, asked, admin);
  return { rule_id, code_id };
}

interface MadeCode extends Partial<CodeLimits> {
  spelling?: string;
  rule?: TypedRule;
}

/** Any answer to a booking with codes. */
export function bookWith(
  server: { url: string },
  held: Held,
  more: { codes?: string[]; conventions?: string[]; address?: string; expected_cents?: number },
): Promise<Answered> {
  return ask(server, 'POST', `/api/event/${demoEvent}/book`, { body: { ...held, ...more } });
}

export async function bookedWith(
  server: TestServer,
  held: Held,
  more: Parameters<typeof bookWith>[2],
): Promise<Booked> {
  const answer = await bookWith(server, held, more);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const booked = answer.body as { order_id: string; checkout_url: string };
  return {
    order_id: await recordOf(server, booked),
    link_key: booked.order_id,
    checkout_url: booked.checkout_url,
    ...held,
  };
}

/** The counters of a code, and the sums of its uses that were not given back. */
export async function countsOf({ house }: TestServer, code_id: string) {
  const { db } = house.ctx;
  const code = (await db<PriceCodeRow>('price_codes').where({ id: code_id }).first())!;
  const uses = await db<CodeUseRow>('code_uses').where({ code_id }).whereNull('given_back_at');
  const tickets = uses.reduce((sum, use) => sum + use.tickets, 0);
  return {
    counted: [code.orders_used, code.tickets_used],
    holding: [uses.length, tickets],
  };
}

export const counts = (orders: number, tickets: number) => ({
  counted: [orders, tickets],
  holding: [orders, tickets],
});

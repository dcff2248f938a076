/** `expand[]`: puts the object itself where an answer holds only its id, along paths like `payment_intent.latest_charge`. */
import { ok, type ReadCall, type ReadDesk, type Reply } from './call.ts';
import { currencyOptionsOf } from './catalog/currency-options.ts';
import { refuse } from './transport/errors.ts';
import { listParts, type List } from './lists.ts';
import { allObjects, findObject, readPrivate, type StoredObject } from './statements/objects.ts';

/** Which fields of which object hold the id of what. */
const LINKS: Record<string, Record<string, string>> = {
  product: { default_price: 'price' },
  price: { product: 'product' },
  'checkout.session': { customer: 'customer', payment_intent: 'payment_intent' },
  payment_intent: {
    customer: 'customer',
    latest_charge: 'charge',
    payment_method: 'payment_method',
  },
  payment_method: { customer: 'customer' },
  charge: {
    balance_transaction: 'balance_transaction',
    customer: 'customer',
    payment_intent: 'payment_intent',
  },
  dispute: { charge: 'charge', payment_intent: 'payment_intent' },
  payout: {
    balance_transaction: 'balance_transaction',
    failure_balance_transaction: 'balance_transaction',
  },
  refund: {
    balance_transaction: 'balance_transaction',
    charge: 'charge',
    customer: 'customer',
    failure_balance_transaction: 'balance_transaction',
    payment_intent: 'payment_intent',
    payment_method: 'payment_method',
  },
  balance_transaction: { source: '*' },
};

/** What a movement of money may come from. */
const SOURCES = ['charge', 'refund', 'dispute', 'payout'];

/** Fields that may be asked for by name and are always null here, so asking is no error. */
const ALWAYS_NULL: Record<string, string[]> = {
  'checkout.session': [
    'customer_account',
    'invoice',
    'payment_link',
    'setup_intent',
    'subscription',
  ],
  customer: ['default_source', 'test_clock'],
  payment_intent: ['application', 'on_behalf_of', 'review', 'source'],
  charge: [
    'application',
    'application_fee',
    'failure_balance_transaction',
    'on_behalf_of',
    'review',
    'source_transfer',
  ],
  payout: ['application_fee', 'destination', 'original_payout', 'reversed_by'],
  refund: ['failure_balance_transaction', 'source_transfer_reversal', 'transfer_reversal'],
};

/** What belongs to an object and is left out unless asked for. */
const PARTS: Record<string, Record<string, (desk: ReadDesk, id: string) => Promise<object>>> = {
  'checkout.session': { line_items: lineItemsOf },
  charge: { refunds: refundsOf },
  price: { currency_options: currencyOptionsOf },
};

/** What the lists that are parts hold, and objects that are always there in full. */
const PART_KINDS: Record<string, Record<string, string>> = {
  'checkout.session': { line_items: 'list of item' },
  charge: { refunds: 'list of refund' },
  item: { price: 'price' },
  price: { currency_options: 'amounts' },
};

type StoredPart = { id: string; object: string };
type Node = Record<string, unknown>;

const MAX_DEPTH = 4;

/** Answers 200 with the object, expanded; throws 400 on a path that leads nowhere. */
export async function replyWith(
  call: ReadCall,
  body: object,
  paths: string[] | undefined,
): Promise<Reply> {
  const copy = structuredClone(body) as Node;
  for (const path of paths ?? []) {
    const steps = path.split('.');
    if (steps.length > MAX_DEPTH + (steps.includes('data') ? 1 : 0))
      throw refuse(`You cannot expand more than ${MAX_DEPTH} levels: ${path}`, { param: 'expand' });
    if (!leadsOn(kindOf(copy), steps))
      throw refuse(`This property cannot be expanded (${path}).`, { param: 'expand' });
    await follow(call, copy, steps);
  }
  return ok(copy);
}

/** The first lines of a session, as `expand[]=line_items` and the call of that name give them. */
export async function lineItemsOf(desk: ReadDesk, id: string): Promise<List<StoredPart>> {
  const { line_items = [] } = await readPrivate<{ line_items?: StoredPart[] }>(desk.store, id);
  return listParts(line_items, {
    url: `/v1/checkout/sessions/${id}/line_items`,
    page: {},
    kind: 'item',
  });
}

async function refundsOf(desk: ReadDesk, id: string): Promise<List<StoredPart>> {
  const all = (
    await allObjects<StoredObject>(desk.store, 'refund', [{ path: 'charge', is: id }])
  ).reverse();
  return listParts(all, { url: `/v1/charges/${id}/refunds`, page: {}, kind: 'refund' });
}

/** By the kinds alone: whether a path is right does not depend on what an object happens to hold today. */
function leadsOn(kind: string, [step, ...rest]: string[]): boolean {
  if (step === undefined) return true;
  const next = kindBehind(kind, step);
  if (next === undefined)
    return (
      rest.length === 0 && Object.hasOwn(ALWAYS_NULL, kind) && ALWAYS_NULL[kind]!.includes(step)
    );
  return (next === '*' ? SOURCES : [next]).some((each) => leadsOn(each, rest));
}

function kindBehind(kind: string, step: string): string | undefined {
  if (!kind.startsWith('list of '))
    return ownOf(LINKS, kind, step) ?? ownOf(PART_KINDS, kind, step);
  return step === 'data' ? kind.slice(8) : undefined;
}

/** A list tells by its address what it is a list of, even when it is empty. */
function kindOf(body: Node): string {
  if (body['object'] !== 'list' && body['object'] !== 'search_result')
    return String(body['object']);
  const names = String(body['url'])
    .split('/')
    .filter((name) => name !== 'search');
  const name = names.at(-1)!.slice(0, -1);
  return `list of ${{ session: 'checkout.session', line_item: 'item' }[name] ?? name}`;
}

function ownOf(
  table: Record<string, Record<string, string>>,
  kind: string,
  step: string,
): string | undefined {
  const fields = Object.hasOwn(table, kind) ? table[kind]! : {};
  return Object.hasOwn(fields, step) ? fields[step] : undefined;
}

async function follow(desk: ReadDesk, node: Node, [step, ...rest]: string[]): Promise<void> {
  if (step === undefined) return;
  if (step === 'data') {
    for (const each of node['data'] as Node[]) await follow(desk, each, rest);
    return;
  }
  const kind = String(node['object']);
  const part = PARTS[kind]?.[step];
  const target = LINKS[kind]?.[step];
  if (part) node[step] ??= await part(desk, String(node['id']));
  else if (target !== undefined && typeof node[step] === 'string')
    node[step] = await expanded(desk, target, node[step]);
  if (isObject(node[step])) await follow(desk, node[step], rest);
}

async function expanded(desk: ReadDesk, kind: string, id: string): Promise<unknown> {
  if (kind !== '*') return (await findObject(desk.store, kind, id)) ?? id;
  for (const source of SOURCES) {
    const found = await findObject(desk.store, source, id);
    if (found) return found;
  }
  return id;
}

function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'object' in value;
}

/** Payment methods: card data turned into a `pm_…`, by the shop with its key or by the hosted page without one. */
import { createHmac } from 'node:crypto';
import { settingOf } from '#server/standins/store.ts';
import { seconds, type Call, type Reply } from './call.ts';
import { checkCard, findTestCard, type CardData, type TestCard } from './cards.ts';
import { missingObject, notBuilt, refuse, StripeError } from './errors.ts';
import { replyWith } from './expand.ts';
import type { Form } from './forms.ts';
import { newId, randomText } from './ids.ts';
import { findObject, getObject, insertObject, readPrivate, savePrivate, type StoredObject } from './objects.ts';
import { clearable, email, group, integer, listOf, metadata, need, oneOf, patched, readParams, text, unbuilt, type Read } from './rules.ts';

export interface Address { city: string | null; country: string | null; line1: string | null; line2: string | null; postal_code: string | null; state: string | null }
export interface BillingDetails { address: Address; email: string | null; name: string | null; phone: string | null; tax_id: string | null }

export interface PaymentMethod extends StoredObject {
  object: 'payment_method';
  billing_details: BillingDetails;
  card: {
    brand: string; checks: { address_line1_check: null; address_postal_code_check: null; cvc_check: 'pass' | null }; country: string; display_brand: string;
    exp_month: number; exp_year: number; fingerprint: string; funding: string; generated_from: null; last4: string;
    networks: { available: string[]; preferred: null }; regulated_status: 'unregulated'; three_d_secure_usage: { supported: true }; wallet: null;
  };
  customer: null;
  customer_account: null;
  livemode: false;
  metadata: Record<string, string>;
  type: 'card';
}

/** `keyless`: made by the page. `used`: has paid once, and cannot again. */
interface Hidden { number: string; keyless: boolean; used: boolean }

/** What somebody without a key may leave behind: so many a minute, and nothing unused for longer than an hour. */
const KEYLESS_PER_MINUTE = 120;
const KEYLESS_LIFE = 3600;

const line = clearable(text({ max: 500 }));
const billingFields = {
  address: clearable(group({ city: line, country: clearable(text({ form: /^[A-Z]{2}$/, says: 'must be a two-letter country' })), line1: line, line2: line, postal_code: line, state: line })),
  email: clearable(email()), name: clearable(text({ max: 500 })), phone: clearable(text({ max: 100 })), tax_id: unbuilt(),
};

export const paymentMethodFields = {
  type: need(oneOf(['card'])),
  card: need(group({
    number: need(text({ max: 40 })), exp_month: need(integer({ max: 9999 })), exp_year: need(integer({ max: 9999 })), cvc: text({ max: 10 }),
    networks: unbuilt(), token: unbuilt(),
  })),
  billing_details: group(billingFields),
  metadata: metadata(),
  allow_redisplay: oneOf(['always', 'limited', 'unspecified']),
};
export type PaymentMethodData = Read<typeof paymentMethodFields>;

/** POST /v1/payment_methods {type:'card', card{number,exp_month,exp_year,cvc?}, billing_details?, metadata?}: 402 card_error on a wrong card. */
export function createPaymentMethod(call: Call): Reply {
  refuseOtherTypes(call.form);
  const { expand: paths, ...data } = readParams(call.form, {
    ...paymentMethodFields, customer: unbuilt(), payment_method: unbuilt(), expand: listOf(text(), 20),
  });
  return replyWith(call, insertPaymentMethod(call, data), paths);
}

/** GET /v1/payment_methods/:id */
export function retrievePaymentMethod(call: Call): Reply {
  const { expand: paths } = readParams(call.form, { expand: listOf(text(), 20) });
  return replyWith(call, getObject<PaymentMethod>(call.store, 'payment_method', call.id), paths);
}

export function insertPaymentMethod(call: Call, data: PaymentMethodData): PaymentMethod {
  const card = checkCard(data.card, call.now());
  if (!call.keyed) limitKeyless(call);
  return store(call, { card, data: data.card, billing: data.billing_details, metadata: patched({}, data.metadata) });
}

/** The method and its card behind an id, one of the well-known `pm_card_…` included; throws 400 on an unknown or spent one. */
export function takePaymentMethod(call: Call, id: string): { method: PaymentMethod; card: TestCard } {
  const known = findTestCard(id);
  if (known) {
    const next = new Date(call.now()).getUTCFullYear() + 1;
    const data = { number: known.number, exp_month: 12, exp_year: next, cvc: '123' };
    return { method: store(call, { card: known, data, billing: undefined, metadata: {} }), card: known };
  }
  const method = findObject<PaymentMethod>(call.store, 'payment_method', id);
  if (!method) throw missingObject('PaymentMethod', id, { param: 'payment_method', status: 400 });
  const hidden = readPrivate<Hidden>(call.store, id);
  if (hidden.used) throw refuse('This PaymentMethod has already been used and cannot be used again.', { param: 'payment_method' });
  return { method, card: checkCard({ ...method.card, number: hidden.number }, call.now()) };
}

export function spendPaymentMethod(call: Call, method: PaymentMethod): void {
  savePrivate(call.store, method.id, { ...readPrivate<Hidden>(call.store, method.id), used: true } satisfies Hidden);
}

export function emptyAddress(): Address {
  return { city: null, country: null, line1: null, line2: null, postal_code: null, state: null };
}

function store(call: Call, facts: { card: TestCard; data: CardData; billing: PaymentMethodData['billing_details']; metadata: Record<string, string> }): PaymentMethod {
  const { card, data, billing } = facts;
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    billing_details: {
      address: { ...emptyAddress(), ...billing?.address },
      email: billing?.email ?? null, name: billing?.name ?? null, phone: billing?.phone ?? null, tax_id: null,
    },
    card: {
      brand: card.brand, checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: data.cvc === undefined ? null : 'pass' },
      country: card.country, display_brand: card.brand, exp_month: data.exp_month, exp_year: data.exp_year < 100 ? 2000 + data.exp_year : data.exp_year,
      fingerprint: fingerprintOf(call, card.number), funding: card.funding, generated_from: null, last4: card.number.slice(-4),
      networks: { available: [card.brand], preferred: null }, regulated_status: 'unregulated', three_d_secure_usage: { supported: true }, wallet: null,
    },
    created: seconds(call),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: facts.metadata,
    type: 'card',
  };
  insertObject(call.store, method, { number: card.number, keyless: !call.keyed, used: false } satisfies Hidden);
  return method;
}

/** Equal for equal cards within this stand-in, and no way back to the number. */
function fingerprintOf(call: Call, number: string): string {
  const salt = settingOf(call.store, 'stripe_fingerprint_salt', () => randomText(32));
  return createHmac('sha256', salt).update(number).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 16);
}

function limitKeyless(call: Call): void {
  const at = seconds(call);
  const unused = "kind = 'payment_method' AND private ->> '$.keyless' = 1 AND private ->> '$.used' = 0";
  call.store.prepare(`DELETE FROM stripe_objects WHERE ${unused} AND created < ?`).run(at - KEYLESS_LIFE);
  const recent = call.store.prepare<[number], { made: number }>(`SELECT count(*) AS made FROM stripe_objects WHERE ${unused} AND created > ?`).get(at - 60);
  if ((recent?.made ?? 0) >= KEYLESS_PER_MINUTE) {
    throw new StripeError(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Troppi tentativi: riprova tra un minuto.' });
  }
}

function refuseOtherTypes(form: Form): void {
  const type = form.get('type');
  if (typeof type === 'string' && type !== 'card') throw notBuilt(`payment methods of the type ${type.slice(0, 40)}`, 'type');
}

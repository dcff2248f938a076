/**
 * Payment methods: the hosted page turns a test card or a wallet into a `pm_…`; the well-known
 * `pm_card_…` stand for test cards.
 */
import { createHmac } from 'node:crypto';
import { seconds, type Call, type ReadCall } from '#server/standins/stripe/call.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import { countKeyless, deleteKeyless } from '#server/standins/stripe/statements/keyless.ts';
import {
  findObject,
  insertObject,
  readPrivate,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import { ok, type Reply } from '#server/standins/stripe/transport/answers.ts';
import {
  missingObject,
  missingParam,
  refuse,
  StripeError,
} from '#server/standins/stripe/transport/errors.ts';
import {
  clearable,
  email,
  group,
  integer,
  need,
  oneOf,
  readParams,
  text,
} from '#server/standins/stripe/transport/rules.ts';
import { checkCard, findTestCard, type Behaviour, type CardData, type TestCard } from './cards.ts';
import { METHOD_TYPES, WALLET, type MethodType } from './method-types.ts';

export interface BillingDetails {
  address: {
    city: null;
    country: string | null;
    line1: null;
    line2: null;
    postal_code: null;
    state: null;
  };
  email: string | null;
  name: string | null;
  phone: string | null;
  tax_id: null;
}

export interface CardShown {
  brand: string;
  checks: {
    address_line1_check: null;
    address_postal_code_check: null;
    cvc_check: 'pass' | null;
  };
  country: string;
  display_brand: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: string;
  generated_from: null;
  last4: string;
  networks: { available: string[]; preferred: null };
  regulated_status: 'unregulated';
  three_d_secure_usage: { supported: true };
  wallet: null;
}

export interface PaymentMethod extends StoredObject {
  object: 'payment_method';
  allow_redisplay: 'unspecified';
  billing_details: BillingDetails;
  card?: CardShown;
  klarna?: { dob: null };
  link?: { email: string | null };
  paypal?: { country: string; payer_email: string | null; payer_id: string };
  satispay?: object;
  customer: null;
  customer_account: null;
  livemode: false;
  metadata: object;
  type: MethodType;
}

/** What pays: a test card, or a wallet that asks the buyer on its own page. */
type Instrument =
  | { type: 'card'; card: TestCard; data: CardData }
  | { type: Exclude<MethodType, 'card'> };

/**
 * `secret`: the card's number. `keyless`: it is deleted if it stays unused. `used`: it has paid
 * and cannot pay again.
 */
interface Hidden {
  secret?: string;
  keyless: boolean;
  used: boolean;
}

/** Without a key: new methods per minute, and seconds until an unused one is deleted. */
const KEYLESS_PER_MINUTE = 120;
const KEYLESS_LIFE = 3600;

const createFields = {
  type: need(oneOf(METHOD_TYPES)),
  card: group({
    number: need(text({ max: 40 })),
    exp_month: need(integer({ max: 9999 })),
    exp_year: need(integer({ max: 9999 })),
    cvc: text({ max: 10 }),
  }),
  billing_details: group({
    email: clearable(email()),
    name: clearable(text({ max: 500 })),
  }),
};

/**
 * POST /v1/payment_methods {type, card{number, exp_month, exp_year, cvc?}?, billing_details?}
 * @throws StripeError 402 card_error on a wrong card, 429 when too many were made in a minute
 */
export async function createPaymentMethod(call: Call): Promise<Reply> {
  const { type, card, billing_details: contact = {} } = readParams(call.form, createFields);
  if (type !== 'card' && card !== undefined)
    throw refuse(`card does not fit a PaymentMethod of the type ${type}.`, {
      code: 'parameter_unknown',
      param: 'card',
    });
  await limitKeyless(call);
  if (type !== 'card') return ok(await insertMethod(call, { type }, contact));
  if (!card) throw missingParam('card');
  const instrument = { type, card: checkCard(card, call.now()), data: card };
  return ok(await insertMethod(call, instrument, contact));
}

/**
 * The payment method of an id, also of a well-known `pm_card_…`, with its behaviour.
 * @throws StripeError 400 on an unknown or used one
 */
export async function takePaymentMethod(
  call: Call,
  id: string,
): Promise<{ method: PaymentMethod; behaviour: Behaviour }> {
  const card = findTestCard(id);
  if (card) {
    const exp_year = new Date(call.now()).getUTCFullYear() + 1;
    const data = { number: card.number, exp_month: 12, exp_year, cvc: '123' };
    const method = await insertMethod(call, { type: 'card', card, data }, {});
    return { method, behaviour: card.behaviour };
  }
  const method = await findObject<PaymentMethod>(call.store, 'payment_method', id);
  const { used, secret } = await readPrivate<Partial<Hidden>>(call.store, id);
  if (method && used)
    throw refuse('This PaymentMethod has already been used and cannot be used again.', {
      param: 'payment_method',
    });
  if (!method || secret === undefined)
    throw missingObject('PaymentMethod', id, { param: 'payment_method', status: 400 });
  if (!method.card) return { method, behaviour: WALLET };
  const { behaviour } = checkCard({ ...method.card, number: secret }, call.now());
  return { method, behaviour };
}

export async function spendPaymentMethod(call: Call, id: string): Promise<void> {
  await changeHidden(call, id, { used: true });
}

/** Keeps a payment method while a question about it waits for the buyer. */
export async function holdPaymentMethod(call: Call, id: string): Promise<void> {
  await changeHidden(call, id, { keyless: false });
}

/** An address with at most a country. */
export function emptyAddress(country: string | null = null): BillingDetails['address'] {
  return { city: null, country, line1: null, line2: null, postal_code: null, state: null };
}

async function changeHidden(call: Call, id: string, change: Partial<Hidden>): Promise<void> {
  const hidden = await readPrivate<Hidden>(call.store, id);
  await savePrivate(call.store, id, { ...hidden, ...change } satisfies Hidden);
}

async function insertMethod(
  call: Call,
  instrument: Instrument,
  contact: { email?: string | null; name?: string | null },
): Promise<PaymentMethod> {
  const { email: address = null, name = null } = contact;
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: emptyAddress(),
      email: address,
      name,
      phone: null,
      tax_id: null,
    },
    ...detailsOf(call, instrument, address),
    created: seconds(call),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: instrument.type,
  };
  const secret = instrument.type === 'card' ? instrument.card.number : '';
  await insertObject(call.store, method, { secret, keyless: true, used: false } satisfies Hidden);
  return method;
}

function detailsOf(
  call: ReadCall,
  instrument: Instrument,
  address: string | null,
): Partial<PaymentMethod> {
  switch (instrument.type) {
    case 'card':
      return { card: cardOf(call, instrument.card, instrument.data) };
    case 'paypal': {
      const payer_id = randomText(13).toUpperCase();
      return { paypal: { country: 'IT', payer_email: address, payer_id } };
    }
    case 'klarna':
      return { klarna: { dob: null } };
    case 'link':
      return { link: { email: address } };
    case 'satispay':
      return { satispay: {} };
  }
}

function cardOf(call: ReadCall, { brand, number }: TestCard, data: CardData): CardShown {
  return {
    brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: data.cvc === undefined ? null : 'pass',
    },
    country: 'US',
    display_brand: brand,
    exp_month: data.exp_month,
    exp_year: data.exp_year < 100 ? 2000 + data.exp_year : data.exp_year,
    fingerprint: fingerprintOf(call, number),
    funding: 'credit',
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  };
}

/** Equal for equal cards of this stand-in; the number cannot be computed from it. */
function fingerprintOf(call: ReadCall, number: string): string {
  return createHmac('sha256', call.settings.fingerprintSalt)
    .update(number)
    .digest('base64url')
    .replaceAll(/[-_]/g, '')
    .slice(0, 16);
}

async function limitKeyless(call: Call): Promise<void> {
  const at = seconds(call);
  await deleteKeyless(call.store, at - KEYLESS_LIFE);
  if ((await countKeyless(call.store, at - 60)) >= KEYLESS_PER_MINUTE) {
    throw new StripeError(429, {
      type: 'invalid_request_error',
      code: 'rate_limit',
      message: 'Too many attempts: try again in a minute.',
    });
  }
}

/** Payment methods: cards, accounts and wallets turned into a `pm_…`, by the shop with its key or by the hosted page without one. */
import { answerList, answerObject, expand } from '#server/standins/stripe/read-calls.ts';
import { emptyAddress, type Address } from './address.ts';
import { createHmac } from 'node:crypto';
import { countKeyless, deleteKeyless } from '#server/standins/stripe/statements/keyless.ts';
import { seconds, type Call, type Reply, type ReadCall } from '#server/standins/stripe/call.ts';
import {
  checkCard,
  findTestCard,
  findTestToken,
  type Behaviour,
  type CardData,
  type TestCard,
} from './cards.ts';
import {
  missingObject,
  notBuilt,
  refuse,
  StripeError,
  missingParam,
} from '#server/standins/stripe/transport/errors.ts';
import { changesOf, emit } from '#server/standins/stripe/webhook/events.ts';
import { replyWith } from '#server/standins/stripe/expand.ts';
import { checkIban, findTestIban, type TestIban } from './ibans.ts';
import { newId, randomText } from '#server/standins/stripe/ids.ts';
import { METHOD_TYPES, WALLET, type MethodType } from './method-types.ts';
import { STRIPE_METHOD_TYPES } from '#server/standins/stripe/checkout/session-params.ts';
import {
  findObject,
  getObject,
  insertObject,
  readPrivate,
  saveObject,
  savePrivate,
  type StoredObject,
} from '#server/standins/stripe/statements/objects.ts';
import {
  builtOf,
  clearable,
  email,
  group,
  integer,
  metadata,
  need,
  oneOf,
  patched,
  readParams,
  text,
  unbuilt,
  type Read,
} from '#server/standins/stripe/transport/rules.ts';

export interface BillingDetails {
  address: Address;
  email: string | null;
  name: string | null;
  phone: string | null;
  tax_id: string | null;
}

export interface PaymentMethod extends StoredObject {
  object: 'payment_method';
  allow_redisplay: 'always' | 'limited' | 'unspecified';
  billing_details: BillingDetails;
  card?: {
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
  };
  klarna?: { dob: null };
  link?: { email: string | null };
  paypal?: { country: string; payer_email: string | null; payer_id: string };
  satispay?: object;
  sepa_debit?: {
    bank_code: string;
    branch_code: string | null;
    country: string;
    fingerprint: string;
    generated_from: null;
    last4: string;
  };
  customer: string | null;
  customer_account: null;
  livemode: false;
  metadata: Record<string, string>;
  type: MethodType;
}

/** What is paid with: a test card, a test bank account, or a wallet that asks on its own page. */
type Instrument =
  | { type: 'card'; card: TestCard; data: CardData }
  | { type: 'sepa_debit'; iban: TestIban }
  | { type: 'link' | 'paypal' | 'klarna' | 'satispay' };

/** `secret`: the card's or account's number. `keyless`: made by the page. `used`: has paid once, and cannot again unless a customer keeps it. */
interface Hidden {
  secret?: string;
  keyless: boolean;
  used: boolean;
}

/** What somebody without a key may leave behind: so many a minute, and nothing unused for longer than an hour. */
const KEYLESS_PER_MINUTE = 120;
const KEYLESS_LIFE = 3600;

const line = clearable(text({ max: 500 }));
const billingFields = {
  address: clearable(
    group({
      city: line,
      country: clearable(text({ form: /^[A-Z]{2}$/, says: 'must be a two-letter country' })),
      line1: line,
      line2: line,
      postal_code: line,
      state: line,
    }),
  ),
  email: clearable(email()),
  name: clearable(text({ max: 500 })),
  phone: clearable(text({ max: 100 })),
  tax_id: unbuilt(),
};

export const paymentMethodFields = {
  type: need(builtOf(METHOD_TYPES, STRIPE_METHOD_TYPES)),
  card: group({
    number: text({ max: 40 }),
    exp_month: integer({ max: 9999 }),
    exp_year: integer({ max: 9999 }),
    cvc: text({ max: 10 }),
    networks: unbuilt(),
    token: text({ max: 100 }),
  }),
  klarna: group({ dob: unbuilt() }),
  link: group({}),
  paypal: group({}),
  satispay: group({}),
  sepa_debit: group({ iban: need(text({ max: 50 })) }),
  billing_details: group(billingFields),
  metadata: metadata(),
  allow_redisplay: oneOf(['always', 'limited', 'unspecified']),
};
type PaymentMethodData = Read<typeof paymentMethodFields>;

/** POST /v1/payment_methods {type, card{number,exp_month,exp_year,cvc?} | sepa_debit{iban} | …, billing_details?, metadata?}: 402 card_error on a wrong card. */
export async function createPaymentMethod(call: Call): Promise<Reply> {
  const type = call.form['type'];
  if (typeof type === 'string' && type !== '' && !METHOD_TYPES.some((each) => each === type))
    throw notBuilt(`payment methods of the type ${type.slice(0, 40)}`, 'type');
  const { expand: paths, ...data } = readParams(call.form, {
    ...paymentMethodFields,
    customer: unbuilt(),
    payment_method: unbuilt(),
    expand,
  });
  return replyWith(call, await insertPaymentMethod(call, data), paths);
}

/** GET /v1/payment_methods/:id */
export function retrievePaymentMethod(call: ReadCall): Promise<Reply> {
  return answerObject(call, 'payment_method');
}

/** GET /v1/payment_methods?customer&type; without a customer none are listed, as only a customer keeps them. */
export function listPaymentMethods(call: ReadCall): Promise<Reply> {
  return answerList(call, 'payment_method', {
    url: '/v1/payment_methods',
    filters: {
      allow_redisplay: unbuilt(),
      customer: text(),
      customer_account: unbuilt(),
      type: text(),
    },
    where: ({ customer = '', type }) => [
      { path: 'customer', is: customer },
      { path: 'type', is: type },
    ],
  });
}

/** POST /v1/payment_methods/:id {billing_details?, metadata?, card{exp_month?,exp_year?}?} */
export async function updatePaymentMethod(call: Call): Promise<Reply> {
  const before = await getObject<PaymentMethod>(call.store, 'payment_method', call.id);
  const params = readParams(call.form, {
    allow_redisplay: paymentMethodFields.allow_redisplay,
    billing_details: group(billingFields),
    expand,
    metadata: metadata(),
    payto: unbuilt(),
    us_bank_account: unbuilt(),
    card: group({
      exp_month: integer({ min: 1, max: 12 }),
      exp_year: integer({ min: 2000, max: 2100 }),
      networks: unbuilt(),
    }),
  });
  if (before.customer === null)
    throw refuse('You must save this PaymentMethod to a customer before you can update it.');
  const { address, ...contact } = params.billing_details ?? {};
  const after: PaymentMethod = {
    ...before,
    allow_redisplay: params.allow_redisplay ?? before.allow_redisplay,
    billing_details: {
      ...before.billing_details,
      ...contact,
      address:
        address === undefined ? before.billing_details.address : { ...emptyAddress(), ...address },
    },
    metadata: patched(before.metadata, params.metadata),
    ...(before.card ? { card: { ...before.card, ...params.card } } : {}),
  };
  await saveObject(call.store, after);
  await emit(call, call, {
    type: 'payment_method.updated',
    object: after,
    previous: changesOf(before, after),
  });
  return replyWith(call, after, params.expand);
}

export async function insertPaymentMethod(
  call: Call,
  data: PaymentMethodData,
): Promise<PaymentMethod> {
  const instrument = instrumentOf(call, data);
  if (!call.keyed) await limitKeyless(call);
  return store(call, instrument, data);
}

/** The method behind an id and what paying with it does, the well-known `pm_card_…` included; throws 400 on an unknown or spent one. */
export async function takePaymentMethod(
  call: Call,
  id: string,
): Promise<{ method: PaymentMethod; behaviour: Behaviour }> {
  const card = findTestCard(id);
  const iban = findTestIban(id);
  if (card)
    return {
      method: await store(call, { type: 'card', card, data: dataOf(call, card) }, {}),
      behaviour: card.behaviour,
    };
  if (iban)
    return {
      method: await store(call, { type: 'sepa_debit', iban }, {}),
      behaviour: iban.behaviour,
    };
  const method = await findObject<PaymentMethod>(call.store, 'payment_method', id);
  if (!method) throw missingObject('PaymentMethod', id, { param: 'payment_method', status: 400 });
  const hidden = await readPrivate<Hidden>(call.store, id);
  if (hidden.used && method.customer === null)
    throw refuse('This PaymentMethod has already been used and cannot be used again.', {
      param: 'payment_method',
    });
  if (hidden.secret === undefined)
    throw missingObject('PaymentMethod', id, { param: 'payment_method', status: 400 });
  if (method.card)
    return {
      method,
      behaviour: checkCard({ ...method.card, number: hidden.secret }, call.now()).behaviour,
    };
  return {
    method,
    behaviour: method.type === 'sepa_debit' ? checkIban(hidden.secret).behaviour : WALLET,
  };
}

export async function spendPaymentMethod(call: Call, id: string): Promise<void> {
  await savePrivate(call.store, id, {
    ...(await readPrivate<Hidden>(call.store, id)),
    used: true,
  } satisfies Hidden);
}

/** A question about it waits for the buyer: it is no longer one of those that are thrown away unused. */
export async function holdPaymentMethod(call: Call, id: string): Promise<void> {
  await savePrivate(call.store, id, {
    ...(await readPrivate<Hidden>(call.store, id)),
    keyless: false,
  } satisfies Hidden);
}

/** A method that has paid for a customer who may come again; one that somebody has already stays where it is, and wallets are not kept. */
export async function keepPaymentMethod(call: Call, id: string, customer: string): Promise<void> {
  const before = await getObject<PaymentMethod>(call.store, 'payment_method', id);
  if (before.customer !== null || (before.type !== 'card' && before.type !== 'sepa_debit')) return;
  const after: PaymentMethod = { ...before, customer };
  await saveObject(call.store, after);
  await emit(call, call, { type: 'payment_method.attached', object: after });
}

export async function wasUsed(call: ReadCall, id: string): Promise<boolean> {
  return (await readPrivate<Hidden>(call.store, id)).used;
}

function instrumentOf(call: ReadCall, data: PaymentMethodData): Instrument {
  for (const other of METHOD_TYPES) {
    if (other !== data.type && data[other] !== undefined)
      throw refuse(`${other} does not fit a PaymentMethod of the type ${data.type}.`, {
        code: 'parameter_unknown',
        param: other,
      });
  }
  if (data.type === 'card') {
    if (!data.card) throw missingParam('card');
    return cardOf(call, data.card);
  }
  if (data.type === 'sepa_debit') {
    if (!data.sepa_debit) throw missingParam('sepa_debit');
    return { type: 'sepa_debit', iban: checkIban(data.sepa_debit.iban) };
  }
  return { type: data.type };
}

/** A card by its number, or by one of Stripe's well-known tokens. */
function cardOf(call: ReadCall, given: NonNullable<PaymentMethodData['card']>): Instrument {
  const { token, number, exp_month, exp_year, cvc } = given;
  if (token !== undefined) {
    if (number !== undefined)
      throw refuse('You may only specify one of these parameters: token, number.', {
        code: 'parameters_exclusive',
        param: 'card[number]',
      });
    const card = findTestToken(token);
    if (!card) throw missingObject('token', token, { param: 'card[token]', status: 400 });
    return { type: 'card', card, data: dataOf(call, card) };
  }
  if (number === undefined) throw missingParam('card[number]');
  if (exp_month === undefined) throw missingParam('card[exp_month]');
  if (exp_year === undefined) throw missingParam('card[exp_year]');
  const data: CardData = { number, exp_month, exp_year, cvc };
  return { type: 'card', card: checkCard(data, call.now()), data };
}

/** What a card that was named and not typed has printed on it. */
function dataOf(call: ReadCall, card: TestCard): CardData {
  const exp_year = new Date(call.now()).getUTCFullYear() + 1;
  return { number: card.number, exp_month: 12, exp_year, cvc: '123' };
}

/** The number behind the method, which never leaves. */
function secretOf(instrument: Instrument): string {
  if (instrument.type === 'card') return instrument.card.number;
  return instrument.type === 'sepa_debit' ? instrument.iban.iban : '';
}

async function store(
  call: Call,
  instrument: Instrument,
  data: Pick<PaymentMethodData, 'billing_details' | 'metadata' | 'allow_redisplay'>,
): Promise<PaymentMethod> {
  const billing = data.billing_details;
  const contact = {
    email: billing?.email ?? null,
    name: billing?.name ?? null,
    phone: billing?.phone ?? null,
  };
  const method: PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: data.allow_redisplay ?? 'unspecified',
    billing_details: {
      address: { ...emptyAddress(), ...billing?.address },
      ...contact,
      tax_id: null,
    },
    ...detailsOf(call, instrument, contact.email),
    created: seconds(call),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: patched({}, data.metadata),
    type: instrument.type,
  };
  const secret = secretOf(instrument);
  await insertObject(call.store, method, {
    secret,
    keyless: !call.keyed,
    used: false,
  } satisfies Hidden);
  return method;
}

function detailsOf(
  call: ReadCall,
  instrument: Instrument,
  email_: string | null,
): Partial<PaymentMethod> {
  if (instrument.type === 'card') {
    const { card, data } = instrument;
    return {
      card: {
        brand: card.brand,
        checks: {
          address_line1_check: null,
          address_postal_code_check: null,
          cvc_check: data.cvc === undefined ? null : 'pass',
        },
        country: card.country,
        display_brand: card.brand,
        exp_month: data.exp_month,
        exp_year: data.exp_year < 100 ? 2000 + data.exp_year : data.exp_year,
        fingerprint: fingerprintOf(call, card.number),
        funding: card.funding,
        generated_from: null,
        last4: card.number.slice(-4),
        networks: { available: [card.brand], preferred: null },
        regulated_status: 'unregulated',
        three_d_secure_usage: { supported: true },
        wallet: null,
      },
    };
  }
  if (instrument.type === 'sepa_debit') {
    const { iban } = instrument.iban;
    // Italian accounts: one check letter, five digits of the bank, five of the branch; Austrian ones have a bank only.
    const [bank, branch] = iban.startsWith('IT')
      ? [iban.slice(5, 10), iban.slice(10, 15)]
      : [iban.slice(4, 9), null];
    return {
      sepa_debit: {
        bank_code: bank!,
        branch_code: branch ?? null,
        country: iban.slice(0, 2),
        fingerprint: fingerprintOf(call, iban),
        generated_from: null,
        last4: iban.slice(-4),
      },
    };
  }
  if (instrument.type === 'paypal')
    return {
      paypal: { country: 'IT', payer_email: email_, payer_id: randomText(13).toUpperCase() },
    };
  if (instrument.type === 'klarna') return { klarna: { dob: null } };
  return instrument.type === 'link' ? { link: { email: email_ } } : { satispay: {} };
}

/** Equal for equal cards within this stand-in, and no way back to the number. */
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

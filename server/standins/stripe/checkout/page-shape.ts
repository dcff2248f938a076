/** The data of the hosted page; it contains no data of the buyer. */
import type { ReadDesk } from '#server/standins/stripe/call.ts';
import type { MethodType } from '#server/standins/stripe/payment/method-types.ts';
import { stepOf, type PaymentIntent } from '#server/standins/stripe/payment/payment-intents.ts';
import type { PaymentMethod } from '#server/standins/stripe/payment/payment-methods.ts';
import { findObject, readPrivate } from '#server/standins/stripe/statements/objects.ts';
import type { CustomField, HiddenSession, Session } from './session-build.ts';
import type { LineItem } from './session-lines.ts';

export interface PaymentPage {
  id: string;
  object: 'payment_page';
  amount_total: number;
  cancel_url: string | null;
  currency: string;
  /** The buyer's mail, which is not asked then. */
  customer_email: string | null;
  custom_fields: CustomField[];
  custom_text: Session['custom_text'];
  /** Unix seconds. */
  expires_at: number;
  line_items: LineItem[];
  livemode: false;
  mode: 'payment';
  /** A question that the buyer must answer before the money moves. */
  next_action: NextAction | null;
  payment_method_types: MethodType[];
  payment_status: Session['payment_status'];
  phone_number_collection: Session['phone_number_collection'];
  status: Session['status'];
  /** Contains the session's id. */
  success_url: string;
}

interface NextAction {
  id: string;
  type: 'authenticate' | 'redirect';
  payment_method_type: MethodType;
}

export async function pageOf(desk: ReadDesk, session: Session): Promise<PaymentPage> {
  const { line_items } = await readPrivate<HiddenSession>(desk.store, session.id);
  const withId = (address: string) => address.replaceAll('{CHECKOUT_SESSION_ID}', session.id);
  return {
    id: session.id,
    object: 'payment_page',
    amount_total: session.amount_total,
    cancel_url: session.cancel_url === null ? null : withId(session.cancel_url),
    currency: session.currency,
    customer_email: session.customer_email,
    custom_fields: session.custom_fields.map((field) => ({
      ...field,
      text: { ...field.text, value: null },
    })),
    custom_text: session.custom_text,
    expires_at: session.expires_at,
    line_items,
    livemode: false,
    mode: 'payment',
    next_action:
      session.status === 'open' ? await nextActionOf(desk, session.payment_intent) : null,
    payment_method_types: session.payment_method_types,
    payment_status: session.payment_status,
    phone_number_collection: session.phone_number_collection,
    status: session.status,
    success_url: withId(session.success_url),
  };
}

/** The question that an intent is waiting for. */
async function nextActionOf(desk: ReadDesk, id: string | null): Promise<NextAction | null> {
  const intent =
    id === null ? undefined : await findObject<PaymentIntent>(desk.store, 'payment_intent', id);
  const step = intent && (await stepOf(desk, intent));
  if (!step) return null;
  const method = await findObject<PaymentMethod>(desk.store, 'payment_method', step.method);
  return { id: step.id, type: step.type, payment_method_type: method?.type ?? 'card' };
}

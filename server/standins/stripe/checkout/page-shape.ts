/** The data of the hosted page: nothing of the buyer but the e-mail address that the shop itself gave. */
import type { ReadDesk } from '#server/standins/stripe/call.ts';
import type { MethodType } from '#server/standins/stripe/payment/method-types.ts';
import { findObject, readPrivate } from '#server/standins/stripe/statements/objects.ts';
import type {
  HiddenIntent,
  PaymentIntent,
} from '#server/standins/stripe/payment/payment-intents.ts';
import type { PaymentMethod } from '#server/standins/stripe/payment/payment-methods.ts';
import type { CustomField, Session } from './session-build.ts';

export interface PaymentPage {
  id: string;
  object: 'payment_page';
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string | null;
  currency: string;
  custom_fields: CustomField[];
  custom_text: Session['custom_text'];
  customer_email: string | null;
  /** Unix seconds; null: it does not expire. */
  expires_at: number | null;
  line_items: {
    description: string;
    quantity: number;
    unit_amount: number;
    amount_total: number;
  }[];
  livemode: false;
  mode: 'payment';
  /** A question that the buyer has to answer before the money moves. */
  next_action: NextAction | null;
  payment_method_types: MethodType[];
  payment_status: Session['payment_status'];
  phone_number_collection: { enabled: boolean };
  status: Session['status'];
  submit_type: string | null;
  /** With the session's id filled in; null: the shop named none. */
  success_url: string | null;
}

interface NextAction {
  id: string;
  type: 'authenticate' | 'redirect';
  payment_method_type: MethodType;
}

/** The step that an intent waits for. */
export async function nextActionOf(
  desk: ReadDesk,
  intentId: string | null,
): Promise<NextAction | null> {
  const intent =
    intentId === null
      ? undefined
      : await findObject<PaymentIntent>(desk.store, 'payment_intent', intentId);
  const { step } =
    intent?.status === 'requires_action'
      ? await readPrivate<HiddenIntent>(desk.store, intent.id)
      : { step: null };
  if (!step) return null;
  const method = await findObject<PaymentMethod>(desk.store, 'payment_method', step.method);
  return { id: step.id, type: step.type, payment_method_type: method?.type ?? 'card' };
}

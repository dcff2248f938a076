/**
 * Stripe in memory, as far as orders use it: sessions, payments, refunds, disputes, idempotency
 * keys, and a log of events that arrive in any order, any number of times, or never.
 */
import { ProviderRefused } from '#server/adapters/provider.ts';
import { burntKey } from '#server/adapters/stripe-call.ts';
import type {
  RefundAsk,
  StripeDispute,
  StripePayment,
  StripePrice,
  StripeRefund,
} from '#server/adapters/stripe-money.ts';
import type { Session, SessionParams, WebhookHint } from '#server/adapters/stripe.ts';
import type { Price } from '#server/domain/price/pricing.ts';
import { hasFailed } from '#server/domain/payment/refund.ts';

const minute = 60_000;
const keysLiveMs = 24 * 60 * minute;

/** `seen`: the address has left our server, so the session can be paid. */
export interface KnownSession extends Session {
  order_id: string;
  created_at: number;
  seen: boolean;
  /** Cents added to the price when the session is paid. */ extra: number;
}

interface Payment {
  payment_intent: string;
  order_id: string;
  session_id: string;
  status: 'processing' | 'succeeded' | 'failed';
  amount: number;
  paid_at: number;
  refunds: StripeRefund[];
  disputes: StripeDispute[];
  stripe_fee: number | null;
  receipt_number: string | null;
}

export interface StripeEvent extends WebhookHint {
  delivered: boolean;
  told_at: number;
}

/** The first answer under an idempotency key is repeated for every later request. */
interface Remembered {
  /** Null: Stripe failed before it read the request. */ asked: string | null;
  at: number;
  answer: { session?: Session; refund?: StripeRefund } | 'burnt';
}

export type StripeDouble = ReturnType<typeof makeStripe>;

interface StripeSetting {
  now: () => number;
  prices: readonly Price[];
  /** Reports a request that Stripe must never get. */ wrong: (what: string) => void;
}

function refused(code: string, message: string, param: string | null = null): ProviderRefused {
  return new ProviderRefused('Stripe', code, { message, status: 400, data: { param } });
}

/** Refunds that were paid out or still may be. */
export function countedAtStripe(payment: Payment): number {
  return payment.refunds
    .filter((refund) => !hasFailed(refund.status))
    .reduce((sum, refund) => sum + refund.amount, 0);
}

export function makeStripe({ now, prices, wrong }: StripeSetting) {
  const sessions: KnownSession[] = [];
  const payments: Payment[] = [];
  const events: StripeEvent[] = [];
  const keys = new Map<string, Remembered>();
  let extra = 0;

  const tell = (
    type: string,
    about: { order_id: string; session_id?: string | null; payment_intent?: string | null },
  ) => {
    events.push({
      id: `evt_${events.length + 1}`,
      type,
      livemode: false,
      session_id: null,
      payment_intent: null,
      ...about,
      delivered: false,
      told_at: now(),
    });
  };
  const tellOf = (type: string, { order_id, payment_intent }: Payment) =>
    tell(type, { order_id, payment_intent });
  const sessionOf = (id: string): KnownSession => {
    const session = sessions.find((known) => known.id === id);
    if (!session) throw refused('resource_missing', `no such session ${id}`);
    return session;
  };
  const paymentOf = (id: string): Payment => {
    const payment = payments.find((known) => known.payment_intent === id);
    if (!payment) throw refused('resource_missing', `no such payment ${id}`);
    return payment;
  };
  const shown = (known: KnownSession): Session => {
    const session: Session & Partial<KnownSession> = {
      ...known,
      receipt_number:
        payments.find((payment) => payment.session_id === known.id)?.receipt_number ?? null,
    };
    for (const own of ['created_at', 'seen', 'extra'] as const) delete session[own];
    return session;
  };
  const end = (session: KnownSession) => {
    session.status = 'expired';
    session.url = null;
    tell('checkout.session.expired', { order_id: session.order_id, session_id: session.id });
  };
  /** Expires the sessions whose time is over. */
  const tick = () => {
    for (const session of sessions)
      if (session.status === 'open' && session.expires_at <= now()) end(session);
  };
  /** The answer that this idempotency key has already had. */
  const remembered = (
    key: string,
    asked: string,
  ): Exclude<Remembered['answer'], 'burnt'> | null => {
    const known = keys.get(key);
    if (!known || known.at <= now() - keysLiveMs) return null;
    if (known.asked !== null && known.asked !== asked) {
      wrong(`the idempotency key ${key} was used for two different requests`);
      throw refused('idempotency_error', 'same key, other parameters');
    }
    if (known.answer === 'burnt') throw new ProviderRefused('Stripe', burntKey, 'a saved failure');
    return known.answer;
  };
  const intentOf = (session: KnownSession): Payment => {
    session.payment_intent ??= `pi_${session.id.slice(3)}`;
    const known = payments.find((payment) => payment.payment_intent === session.payment_intent);
    if (known) return known;
    const payment: Payment = {
      payment_intent: session.payment_intent,
      order_id: session.order_id,
      session_id: session.id,
      status: 'processing',
      amount: session.amount_total,
      paid_at: now(),
      refunds: [],
      disputes: [],
      stripe_fee: null,
      receipt_number: null,
    };
    payments.push(payment);
    return payment;
  };
  const succeed = (payment: Payment, session: KnownSession) => {
    payment.status = 'succeeded';
    session.paid = true;
    session.payment_status = 'paid';
    tellOf('charge.succeeded', payment);
  };
  const addRefund = (
    payment: Payment,
    refund: Pick<StripeRefund, 'amount' | 'refund_id'>,
  ): StripeRefund => {
    const made: StripeRefund = {
      id: `re_${payment.payment_intent.slice(3)}_${payment.refunds.length + 1}`,
      status: double.refundsArePending ? 'pending' : 'succeeded',
      payment_intent: payment.payment_intent,
      receipt_number: null,
      failure: null,
      created_at: now(),
      ...refund,
    };
    payment.refunds.push(made);
    tellOf('refund.created', payment);
    tellOf('charge.refunded', payment);
    return made;
  };
  const double = {
    sessions,
    payments,
    events,
    tick,
    /** New refunds are pending at first. */
    refundsArePending: false,
    prices: (ids: readonly string[]) =>
      ids
        .flatMap((id) => prices.filter((price) => price.id === id))
        .map((price) => ({ ...price, product_id: `prod_${price.id}` })),
    priceFacts: (ids: readonly string[]): StripePrice[] =>
      ids
        .flatMap((id) => prices.filter((price) => price.id === id))
        .map(({ id, unit_amount }) => ({
          id,
          active: true,
          currency: 'eur',
          unit_amount,
          type: 'one_time',
          nickname: null,
          lookup_key: null,
          created_at: 0,
          product: { id: `prod_${id}`, name: id, active: true },
        })),
    open(params: SessionParams, key: string): Session {
      tick();
      const known = remembered(key, JSON.stringify(params));
      // Returns the stored answer unchanged, although the session may have ended since.
      if (known?.session) return known.session;
      if (params.expires_at < now() + 30 * minute || params.expires_at > now() + 24 * 60 * minute)
        throw refused('parameter_invalid', 'expires_at out of range', 'expires_at');
      const amount = params.items.reduce((sum, item) => {
        if ('surcharge' in item) return sum + item.surcharge.unit_amount * item.quantity;
        const listed = prices.find((price) => price.id === item.price_id)?.unit_amount ?? 0;
        return sum + (item.lowered?.unit_amount ?? listed) * item.quantity;
      }, 0);
      if (amount < 50) throw refused('amount_too_small', 'too small');
      const id = `cs_${sessions.length + 1}`;
      const session: KnownSession = {
        id,
        status: 'open',
        paid: false,
        failed: false,
        payment_status: 'unpaid',
        amount_total: amount + extra,
        currency: 'eur',
        url: `https://checkout.example/${id}`,
        expires_at: params.expires_at,
        order_id: params.order_id,
        link_key: params.link_key,
        payment_intent: null,
        receipt_number: null,
        buyer_name: null,
        buyer_email: null,
        buyer_phone: null,
        created_at: now(),
        seen: false,
        extra: 0,
      };
      extra = 0;
      sessions.push(session);
      const answer = shown(session);
      keys.set(key, { asked: JSON.stringify(params), at: now(), answer: { session: answer } });
      return answer;
    },
    read(id: string) {
      tick();
      return shown(sessionOf(id));
    },
    expire(id: string) {
      tick();
      const session = sessionOf(id);
      if (session.status === 'open') end(session);
      return shown(session);
    },
    listSessions: (since: number) =>
      sessions
        .filter((session) => session.created_at >= since)
        .toReversed()
        .map(shown),
    undelivered: (since: number) =>
      events.filter((event) => event.told_at >= since && !event.delivered),
    payment(id: string): StripePayment {
      const payment = paymentOf(id);
      const isPaid = payment.status === 'succeeded';
      return {
        payment_intent: id,
        order_id: payment.order_id,
        charge: isPaid
          ? {
              id: `ch_${id.slice(3)}`,
              method: 'card',
              amount: payment.amount,
              refunded: countedAtStripe(payment),
              stripe_fee: payment.stripe_fee,
              receipt_number: payment.receipt_number,
              receipt_url: null,
              paid_at: payment.paid_at,
            }
          : null,
        refunds: payment.refunds.map((refund) => ({ ...refund })),
        disputes: payment.disputes.map((dispute) => ({ ...dispute })),
        declines: [],
      };
    },
    refund(ask: RefundAsk, key: string): StripeRefund {
      const known = remembered(key, JSON.stringify(ask));
      if (known?.refund) return known.refund;
      const payment = paymentOf(ask.payment_intent);
      const left = payment.status === 'succeeded' ? payment.amount - countedAtStripe(payment) : 0;
      if (payment.disputes.some((dispute) => dispute.status !== 'won'))
        throw refused('charge_disputed', 'disputed');
      // What was given back in the dashboard may not be known to us yet.
      const isOursAlone = payment.refunds.every(
        ({ refund_id }) => refund_id !== null && refund_id !== ask.refund_id,
      );
      if (ask.amount > left && isOursAlone)
        wrong(`${ask.amount} are asked back of ${ask.payment_intent}, which has ${left} left`);
      if (left === 0) throw refused('charge_already_refunded', 'nothing left');
      if (ask.amount > left) throw refused('parameter_invalid', 'more than what is left', 'amount');
      if (
        payment.refunds.some(
          (refund) => refund.refund_id === ask.refund_id && !hasFailed(refund.status),
        )
      )
        wrong(`the refund ${ask.refund_id} was paid out twice`);
      const { amount, refund_id } = ask;
      const refund = { ...addRefund(payment, { amount, refund_id }) };
      keys.set(key, { asked: JSON.stringify(ask), at: now(), answer: { refund } });
      return refund;
    },
    verify(body: Buffer, signature: string): WebhookHint {
      if (signature !== 'signed by stripe')
        throw new ProviderRefused('Stripe', 'signature', 'not ours');
      const { id, type, order_id, session_id, payment_intent, livemode } = JSON.parse(
        body.toString(),
      ) as WebhookHint;
      return { id, type, order_id, session_id, payment_intent, livemode };
    },
    /** From now on Stripe answers this idempotency key with an error of its own. */
    burn(key: string) {
      const known = keys.get(key);
      keys.set(key, { asked: known?.asked ?? null, at: now(), answer: 'burnt' });
    },
    /** The next session costs more than its prices, because of a rule in the dashboard. */
    surcharge() {
      extra = 100;
    },
    /**
     * Pays as a buyer who knows the address; false when the page refuses. With a slow method the
     * session completes unpaid.
     */
    pay(id: string, how: 'card' | 'slow'): boolean {
      tick();
      const session = sessions.find((known) => known.id === id);
      if (!session?.seen || session.status !== 'open') return false;
      session.amount_total += session.extra;
      const payment = intentOf(session);
      Object.assign(session, {
        status: 'complete',
        url: null,
        buyer_name: 'Ada Ferri',
        buyer_email: 'ada@example.it',
      });
      if (how === 'card') succeed(payment, session);
      tell('checkout.session.completed', {
        order_id: session.order_id,
        session_id: id,
        payment_intent: payment.payment_intent,
      });
      return true;
    },
    endSlowPayment(payment: Payment, succeeds: boolean) {
      const session = sessionOf(payment.session_id);
      if (payment.status !== 'processing') return;
      if (succeeds) succeed(payment, session);
      else {
        payment.status = 'failed';
        session.failed = true;
      }
      tell(`checkout.session.async_payment_${succeeds ? 'succeeded' : 'failed'}`, {
        order_id: session.order_id,
        session_id: session.id,
        payment_intent: payment.payment_intent,
      });
    },
    refundInDashboard(payment: Payment, amount: number) {
      if (amount > 0 && amount <= payment.amount - countedAtStripe(payment))
        addRefund(payment, { amount, refund_id: null });
    },
    moveRefund(refund: StripeRefund, status: 'succeeded' | 'failed') {
      Object.assign(refund, {
        status,
        failure: status === 'failed' ? 'expired_or_canceled_card' : null,
      });
      const payment = paymentOf(refund.payment_intent!);
      tellOf(status === 'failed' ? 'refund.failed' : 'refund.updated', payment);
    },
    dispute(payment: Payment) {
      if (payment.disputes.length > 0) return;
      payment.disputes.push({
        id: `du_${payment.payment_intent.slice(3)}`,
        charge_id: `ch_${payment.payment_intent.slice(3)}`,
        payment_intent: payment.payment_intent,
        amount: payment.amount,
        reason: 'fraudulent',
        status: 'needs_response',
        due_by: now() + 7 * 24 * 60 * minute,
        created_at: now(),
      });
      tellOf('charge.dispute.created', payment);
    },
    closeDispute(payment: Payment, status: 'won' | 'lost') {
      for (const dispute of payment.disputes) dispute.status = status;
      tellOf('charge.dispute.closed', payment);
    },
    /** Adds the fee and the receipt number, which Stripe sends later. */
    account(payment: Payment) {
      payment.stripe_fee ??= 55;
      payment.receipt_number ??= `1000-${payment.payment_intent.slice(4).padStart(4, '0')}`;
      tellOf('charge.updated', payment);
    },
  };
  return double;
}

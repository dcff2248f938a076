/**
 * Messages to many buyers: who gets one, who is left out and why, and the words in braces that
 * each mail fills in (RULES N1).
 */
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import type { OrderState } from '#server/domain/order/order.ts';

/** `message`: the office's text. `tickets`: the mail with the tickets again. */
export const messageActs = ['message', 'tickets'] as const;
/** `question`: the mail that asks the buyers of a moved or cancelled evening, again. */
export const sentActs = [...messageActs, 'question'] as const;
export type MessageAct = (typeof sentActs)[number];
export type WrittenAct = (typeof messageActs)[number];

/** Why an order gets no mail. `no_tickets`: all its tickets were refunded or annulled. */
export const leftOutReasons = [
  'forgotten',
  'not_confirmed',
  'no_tickets',
  'no_address',
  'bad_address',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/**
 * The state of one address. `kept`: there is no mail server, so the mail stays in the office's
 * mailbox. `bounced`: a mail server refused it, immediately or later. `dropped`: its order was
 * refunded before its turn.
 */
export const recipientStates = ['queued', 'sent', 'kept', 'bounced', 'failed', 'dropped'] as const;
export type RecipientState = (typeof recipientStates)[number];

export const longestSubject = 120;
export const longestBody = 5_000;
export const mostOrders = 20_000;
/** The most orders that are chosen one by one. */
export const mostChosen = 100;
/** Nothing is sent for this long after the click, so that the office can cancel the message. */
export const undoMs = 60_000;
/** A second message about the same event within this time needs a confirmation. */
export const messageGapMs = 3_600_000;
/**
 * A pause follows so many mails, so that mail servers do not take us for a spammer and a buyer's
 * own tickets are not delayed.
 */
export const pace = { mails: 20, pauseMs: 10_000 };

export interface OrderToWriteTo {
  id: string;
  number: string;
  event_id: string;
  state: OrderState;
  buyer_name: string | null;
  buyer_email: string | null;
  buyer_forgotten_at: number | null;
  /** Valid tickets. */ tickets: number;
}

/** One mail: the order to which it belongs, and all orders that it is about. */
export interface Recipient {
  lead: OrderToWriteTo;
  orders: OrderToWriteTo[];
}

export interface MessagePlan {
  recipients: Recipient[];
  left_out: { reason: LeftOutReason; numbers: string[] }[];
}

/** Why an order gets no message; null: it gets one. */
function leftOutReason(order: OrderToWriteTo): LeftOutReason | null {
  if (order.buyer_forgotten_at !== null) return 'forgotten';
  if (order.state !== 'confirmed') return 'not_confirmed';
  if (order.tickets === 0) return 'no_tickets';
  if (order.buyer_email === null) return 'no_address';
  return isMailAddress(order.buyer_email) ? null : 'bad_address';
}

/** An address gets one message, however many orders it has; all else is sent order by order. */
export function planMessage(act: MessageAct, orders: readonly OrderToWriteTo[]): MessagePlan {
  const byAddress = new Map<string, Recipient>();
  const leftOut = new Map<LeftOutReason, string[]>();
  for (const order of orders) {
    const reason = leftOutReason(order);
    if (reason !== null) {
      leftOut.set(reason, [...(leftOut.get(reason) ?? []), order.number]);
      continue;
    }
    const key = act === 'message' ? (order.buyer_email ?? '').toLowerCase() : order.id;
    const known = byAddress.get(key);
    if (known === undefined) byAddress.set(key, { lead: order, orders: [order] });
    else known.orders.push(order);
  }
  return {
    recipients: [...byAddress.values()],
    left_out: leftOutReasons.flatMap((reason) => {
      const numbers = leftOut.get(reason);
      return numbers === undefined ? [] : [{ reason, numbers }];
    }),
  };
}

/** The words allowed in braces. */
export const placeholders = ['nome', 'evento', 'data', 'posti', 'link'] as const;
export type Placeholder = (typeof placeholders)[number];
const placeholder = /\{([^{}]{0,40})\}/g;

/** Words in braces that no mail can fill in, each once. */
export function unknownPlaceholders(text: string): string[] {
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !isPlaceholder(name));
}

/** Fills in all placeholders in one pass, so that no value is read as a placeholder itself. */
export function fillIn(text: string, words: Readonly<Record<Placeholder, string>>): string {
  return text.replace(placeholder, (whole, name: string) =>
    isPlaceholder(name) ? words[name] : whole,
  );
}

function isPlaceholder(name: string): name is Placeholder {
  return (placeholders as readonly string[]).includes(name);
}

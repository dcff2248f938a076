/** Fault rules: which call or delivery goes wrong, how and how often; and the log of hits. */

/**
 * `drop` cuts the connection, `delay` waits `ms`, `hang` waits until it is released,
 * `lose_answer` lets the call take effect and then cuts the connection, `truncate` cuts the
 * answer after `bytes`, `429` `409` `500` answer with this status, `saved_500` answers 500 and
 * stores that under the idempotency key, `html` answers `status` with a page.
 */
export const REQUEST_ACTIONS = [
  'drop',
  'delay',
  'hang',
  'lose_answer',
  'truncate',
  '429',
  '409',
  '500',
  'saved_500',
  'html',
] as const;
/**
 * `drop` never sends it, `lose_answer` sends it and ignores the answer, `delay` sends it `ms`
 * later, `duplicate` sends it `copies` times, `reorder` holds deliveries until there are `hold`
 * and sends them in reverse order, `replay_all` sends everything to the endpoint again, `pause`
 * stops all deliveries; the others send something that a careful receiver refuses.
 */
export const DELIVERY_ACTIONS = [
  'drop',
  'lose_answer',
  'delay',
  'duplicate',
  'reorder',
  'replay_all',
  'pause',
  'wrong_signature',
  'old_timestamp',
  'wrong_livemode',
  'tampered_body',
] as const;

type RequestAction = (typeof REQUEST_ACTIONS)[number];
export type DeliveryAction = (typeof DELIVERY_ACTIONS)[number];

interface Match {
  /** From which match on the rule strikes, counted from 1. */
  nth?: number;
  /** How many matches are struck; 1 if left out. */
  times?: number | 'always';
  /** The share of matches that are struck; the same `seed` strikes the same ones. */
  probability?: number;
  seed?: number;
}

export interface RequestFault extends Match {
  on: 'request';
  /** Any method if left out. */
  method?: string;
  /** `/v1/refunds`; `*` stands for one segment, `**` for any rest. */
  path?: string;
  action: RequestAction;
  /** Whether the call takes effect first; with `lose_answer` and `truncate` it always does. */
  executed?: boolean;
  ms?: number;
  bytes?: number;
  /** The status for `html`: 200 or 502. */
  status?: number;
}

export interface DeliveryFault extends Match {
  on: 'delivery';
  /** `charge.succeeded`; `*` stands for any rest. */
  event?: string;
  action: DeliveryAction;
  ms?: number;
  copies?: number;
  hold?: number;
}

export type FaultRule = RequestFault | DeliveryFault;
export type StoredRule = FaultRule & { id: string; matched: number; hits: number };

export interface FaultHit {
  rule: string;
  /** Epoch milliseconds by the stand-in's clock. */
  at: number;
  on: 'request' | 'delivery';
  /** `POST /v1/refunds`, or the event's type. */
  what: string;
  action: FaultRule['action'];
  /** Whether the call took effect without its caller knowing, or the delivery was sent. */
  executed: boolean;
  /** The status of the lost or replaced answer. */
  status?: number;
}

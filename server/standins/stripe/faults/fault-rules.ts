/** A rule for faults: which call or delivery goes wrong, how and how often; and the log of hits. */

/**
 * `drop` cuts the line, `delay` waits `ms`, `hang` answers only when it is released,
 * `lose_answer` carries the call out and cuts the line, `truncate` cuts the answer after `bytes`,
 * `429` `409` `500` answer so, `saved_500` answers 500 and remembers that under the idempotency
 * key, `html` answers `status` with a page.
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
 * `drop` never sends it, `lose_answer` sends it and does not hear the answer, `delay` sends it
 * `ms` later, `duplicate` sends it `copies` times, `reorder` keeps back until `hold` of them wait
 * and lets them go in another order, `replay_all` sends again all that the endpoint ever got,
 * `pause` stops all deliveries; the others send something that a careful receiver refuses.
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
  /** Only from this matching one on, counted from 1. */
  nth?: number;
  /** How many are hit; 1 unless said otherwise. */
  times?: number | 'always';
  /** Of those that match, this share is hit; the same `seed` hits the same ones. */
  probability?: number;
  seed?: number;
}

export interface RequestFault extends Match {
  on: 'request';
  /** Any, if left out. */
  method?: string;
  /** `/v1/refunds`; `*` stands for one part of the address, `**` for any rest. */
  path?: string;
  action: RequestAction;
  /**
   * The call is committed before it goes wrong: always so with `lose_answer` and `truncate`,
   * never with `drop` and `saved_500`.
   */
  executed?: boolean;
  ms?: number;
  bytes?: number;
  /** Of `html`: 200 or 502. */
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
  /** `POST /v1/refunds`, or the type of the event. */
  what: string;
  action: FaultRule['action'];
  /**
   * Whether the call took effect though its caller was not told; of a delivery: whether it was
   * sent.
   */
  executed: boolean;
  /** The status of the answer that was lost or replaced. */
  status?: number;
}

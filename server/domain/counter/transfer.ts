/** Orders of a moved or cancelled evening that the office takes to another date (RULES E7). */
import type { UnplacedReason } from '#server/domain/seat/rehousing.ts';
import type { ExchangeObstacle } from '#server/domain/order/exchange.ts';
import { spreadTotal } from './counter.ts';

/** `left`: the order stays where it is, as one that has not answered. */
export const transferStates = ['waiting', 'done', 'left'] as const;
export type TransferState = (typeof transferStates)[number];

/** Why an order stays; the sentences are in transfer-words.ts. */
export const transferObstacles = [
  'answered',
  'refund_asked',
  'ticket_used',
  'in_exchange',
  'disputed',
  'no_room',
  'no_wheelchair_place',
  'kind_missing',
  'no_price',
  'date_closed',
] as const;
export type TransferObstacle = (typeof transferObstacles)[number];

/** How often an order is tried whose seats others take at that moment. */
export const mostTries = 3;

const ofExchange: Partial<Record<ExchangeObstacle, TransferObstacle>> = {
  already_asked: 'refund_asked',
  ticket_used: 'ticket_used',
  in_exchange: 'in_exchange',
  disputed: 'disputed',
};

/** Whatever else forbids the exchange, the order has answered or ended meanwhile. */
export function obstacleOfExchange(obstacle: ExchangeObstacle): TransferObstacle {
  return ofExchange[obstacle] ?? 'answered';
}

const ofSeating: Record<UnplacedReason, TransferObstacle> = {
  hall_full: 'no_room',
  no_wheelchair_place: 'no_wheelchair_place',
  kind_missing: 'kind_missing',
};

export function obstacleOfSeating(reason: UnplacedReason): TransferObstacle {
  return ofSeating[reason];
}

type Sums = Parameters<typeof spreadTotal>[0];

/** The house changed the date, so that the new tickets cost no more than the old ones give. */
export function withinWorth<Plan extends Sums>(plan: Plan, worth_cents: number): Plan {
  if (plan.total_cents <= worth_cents || worth_cents === 0) return plan;
  return { ...plan, ...spreadTotal(plan, worth_cents) };
}

/** What goes back as it came, because the new tickets cost less. */
export function backOf(plan: Pick<Sums, 'total_cents'>, worth_cents: number): number {
  return Math.max(0, worth_cents - plan.total_cents);
}

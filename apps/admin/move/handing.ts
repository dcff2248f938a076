/** How the part of a price difference that goes back by hand is asked, as in a refund. */
import { useHandBack } from '#apps/admin/order/refund/hand-back.tsx';
import { isHanded, type newDifference, type readDifference } from './difference.tsx';

export function useHanding(
  order_id: string,
  hand_cents: number,
  draft: ReturnType<typeof newDifference>,
) {
  const isAsked = isHanded(draft, hand_cents);
  const hand = useHandBack(order_id, hand_cents, isAsked);
  const handing = isAsked ? (hand.state?.handing ?? null) : {};
  return { hand, handing, isReady: handing !== null };
}

export function withHanding(
  settled: ReturnType<typeof readDifference>,
  { handing }: Pick<ReturnType<typeof useHanding>, 'handing'>,
): ReturnType<typeof readDifference> {
  if (settled === null || typeof settled === 'string' || settled.way !== 'refunded') return settled;
  return { ...settled, ...handing };
}

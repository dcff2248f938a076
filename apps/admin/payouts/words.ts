/** Tones of payouts and of their lines. */
import { withOther } from '#server/domain/text/newer-word.ts';
import type { LineStanding, PayoutState } from '#server/domain/payment/payout.ts';
import { isDifference } from '#server/domain/payment/payout.ts';
import {
  payoutStateNames,
  standingNames,
  tellAgreement,
} from '#server/domain/payment/payout-words.ts';
import type { StateWords } from '#apps/admin/kit/words.ts';

const stateLooks = withOther<Record<PayoutState, Pick<StateWords, 'tone' | 'icon'>>>(
  {
    pending: { tone: 'neutral', icon: 'clock' },
    in_transit: { tone: 'neutral', icon: 'clock' },
    paid: { tone: 'good', icon: 'check' },
    failed: { tone: 'bad', icon: 'cross' },
    canceled: { tone: 'neutral', icon: 'cross' },
  },
  { tone: 'neutral', icon: 'info' },
);

export function payoutStateWords(state: PayoutState): StateWords {
  return { word: payoutStateNames[state], ...stateLooks[state] };
}

/** `Quadra`, `2 differenze`, or why the agreement is unknown. */
export function agreementWords(payout: Parameters<typeof tellAgreement>[0]): StateWords {
  const word = tellAgreement(payout);
  if (!payout.automatic || !payout.read) return { word, tone: 'neutral', icon: 'clock' };
  return payout.differences === 0
    ? { word, tone: 'good', icon: 'check' }
    : { word, tone: 'bad', icon: 'warning' };
}

export function lineStandingWords(standing: LineStanding): StateWords {
  const word = standingNames[standing];
  if (isDifference(standing)) return { word, tone: 'bad', icon: 'warning' };
  return standing === 'agrees'
    ? { word, tone: 'good', icon: 'check' }
    : { word, tone: 'neutral', icon: 'info' };
}

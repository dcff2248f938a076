/** Words for a refund's state, for the order page and the office. */
import { newerWord, withOther } from '#server/domain/text/newer-word.ts';
import type { RefundState } from '#server/domain/payment/refund.ts';
import type { BadgeTone } from './ui/badge.tsx';

/** One word per state, for a badge. */
export const refundStateWords = withOther<Record<RefundState, { label: string; tone: BadgeTone }>>(
  {
    asked: { label: 'Richiesto', tone: 'primary' },
    refused: { label: 'Rifiutato', tone: 'neutral' },
    requested: { label: 'In corso', tone: 'primary' },
    pending: { label: 'In corso', tone: 'primary' },
    requires_action: { label: 'In corso', tone: 'primary' },
    succeeded: { label: 'Eseguito', tone: 'good' },
    failed: { label: 'Non riuscito', tone: 'bad' },
    canceled: { label: 'Ritirato', tone: 'neutral' },
  },
  { label: newerWord, tone: 'neutral' },
);

/**
 * What a visitor reads if a choice of seats breaks a rule: the same on the chart, beside it and
 * in the server's refusal.
 */
import type { SeatRule } from './seating.ts';

export const choiceFaults = {
  noOrphanSeats: 'Così resterebbe un posto isolato: spostati di uno.',
  consecutiveSeats: 'Scegli posti vicini tra loro.',
  companionSeats: 'Il posto per chi accompagna si sceglie insieme a un posto per carrozzina.',
} as const satisfies Partial<Record<SeatRule['type'], string>>;

/** The typed parts of a deposit. */
import type { takeDeposit } from '#server/contract/counter.ts';
import type { Asked } from '#server/contract/endpoint.ts';
import type { CounterMethod } from '#server/domain/counter/counter.ts';
import { formatEuro } from '#apps/shared/format.ts';
import { readEuro } from '#apps/admin/kit/form/euro-field.tsx';

export type DepositParts = Asked<typeof takeDeposit>['body']['payments'];

/** The parts to send, none if nothing is typed; or what is wrong. */
export function readDeposit(
  typed: Partial<Record<CounterMethod, string>>,
  due_cents: number,
): DepositParts | string {
  const parts: DepositParts = [];
  for (const [method, text] of Object.entries(typed) as [CounterMethod, string][]) {
    if (text.trim() === '') continue;
    const amount_cents = readEuro(text);
    if (amount_cents === null) return 'Scrivi una somma, per esempio 12,50.';
    if (amount_cents > 0) parts.push({ method, amount_cents });
  }
  const sum = depositSum(parts);
  if (sum >= due_cents) return `Un acconto è meno di ${formatEuro(due_cents)}.`;
  return parts;
}

export function depositSum(parts: DepositParts): number {
  return parts.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
}

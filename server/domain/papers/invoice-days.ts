/** Until when a buyer may ask for an invoice and change its contents (RULES L8). */
import { endOfDay } from '#server/domain/payment/refund-days.ts';
import type { InvoiceObstacle } from './invoice.ts';

/** An invoice is issued within twelve days of the sale; the buyer has ten of them. */
const invoiceDays = 10;

/** The last millisecond to ask for an invoice or change it. */
export function invoiceUntil(confirmed_at: number): number {
  return endOfDay(confirmed_at, invoiceDays);
}

/** Why no invoice is asked for or changed now (RULES L8); null: it may be. */
export function invoiceObstacle(
  {
    paid_cents,
    refunded_cents,
    confirmed_at,
    made_at,
  }: {
    paid_cents: number;
    refunded_cents: number;
    confirmed_at: number;
    made_at: number | null;
  },
  now: number,
): InvoiceObstacle | null {
  if (made_at !== null) return 'already_made';
  if (paid_cents === 0) return 'nothing_paid';
  if (refunded_cents >= paid_cents) return 'nothing_left';
  return now > invoiceUntil(confirmed_at) ? 'too_late' : null;
}

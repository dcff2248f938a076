/** The address of a charge's receipt: signed, because whoever has it may read it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { settingOf } from '#server/standins/store.ts';
import type { Desk } from '#server/standins/stripe/call.ts';
import { randomText } from '#server/standins/stripe/ids.ts';

export function receiptAddress(desk: Desk, charge: string): string {
  return `${desk.publicUrl}/receipts/${charge}-${sealOf(desk, charge)}`;
}

/** The charge that an address of this form belongs to; undefined when nobody here made it. */
export function readReceiptToken(desk: Desk, token: string): string | undefined {
  const [charge = '', seal = ''] = token.split('-');
  const [given, expected] = [Buffer.from(seal), Buffer.from(sealOf(desk, charge))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? charge : undefined;
}

function sealOf(desk: Desk, charge: string): string {
  const secret = settingOf(desk.store, 'stripe_receipt_secret', () => randomText(43));
  return createHmac('sha256', secret).update(charge).digest('hex').slice(0, 40);
}

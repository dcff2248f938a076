/**
 * The address of a charge's receipt; it is signed, because it alone gives access to the receipt.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReadDesk } from '#server/standins/stripe/call.ts';

export function receiptAddress(desk: ReadDesk, charge: string): string {
  return `${desk.publicUrl}/receipts/${charge}-${sealOf(desk, charge)}`;
}

/** The charge of a receipt's token; undefined if the token was not made here. */
export function readReceiptToken(desk: ReadDesk, token: string): string | undefined {
  const [charge = '', seal = ''] = token.split('-');
  const [given, expected] = [Buffer.from(seal), Buffer.from(sealOf(desk, charge))];
  return given.length === expected.length && timingSafeEqual(given, expected) ? charge : undefined;
}

function sealOf(desk: ReadDesk, charge: string): string {
  return createHmac('sha256', desk.settings.receiptSecret)
    .update(charge)
    .digest('hex')
    .slice(0, 40);
}

/** A ticket as its holder and the office see it. */
import * as v from 'valibot';
import { ticketStates } from '#server/domain/admission.ts';
import { timeOut } from './endpoint.ts';

/** `code` is what the QR holds (31 characters, alphanumeric mode), `code_for_people` the same in groups of four. Price in cents. */
export const ticket = v.object({
  ticket_id: v.string(), state: v.picklist(ticketStates), seat: v.string(), category: v.string(),
  ticket_type: v.string(), type_label: v.string(), price_cents: v.number(), holder: v.nullable(v.string()),
  code: v.string(), code_for_people: v.string(), admitted_at: v.nullable(timeOut),
});

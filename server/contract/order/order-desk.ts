/**
 * What the office corrects and writes in an order, on the wire: the buyer, the holders, notes.
 */
import * as v from 'valibot';
import { buyerFields } from '#server/domain/order/buyer.ts';
import { doorNoteLength } from '#server/domain/order/door-note.ts';
import { endpoint, text, trimmed } from '#server/contract/endpoint.ts';

/** The limit is generous, so that the domain can explain the fault in words. */
const typed = v.optional(v.pipe(text(1_000), v.trim()));

/**
 * Changes only the fields that are sent, in all orders that belong together; an empty text clears
 * a field. `detail.faults` of buyer_wrong: a sentence per field. `changed`: the fields with a new
 * value.
 */
export const changeBuyer = endpoint('PUT', '/api/admin/orders/:orderId/buyer', {
  who: 'change_orders',
  refusals: ['order_not_found', 'buyer_forgotten', 'buyer_wrong'],
  summary: 'Correct the buyer of an order',
  body: v.object({ name: typed, email: typed, phone: typed, contact: typed, language: typed }),
  reply: v.object({ changed: v.array(v.picklist(buyerFields)) }),
});

/**
 * Changes all of the names or none. A changed name gives the ticket its next code, whatever the
 * event allows buyers; one mail tells the buyer. `detail`: the tickets concerned. `named`: how
 * many names changed.
 */
export const nameHolders = endpoint('PUT', '/api/admin/orders/:orderId/holders', {
  who: 'change_orders',
  refusals: ['order_not_found', 'ticket_not_found', 'holder_fixed', 'holder_name_wrong'],
  summary: 'Put names on the tickets of an order, or correct them',
  body: v.object({
    holders: v.pipe(
      v.array(v.object({ ticket_id: text(40, 1), name: v.pipe(text(121), v.trim()) })),
      v.minLength(1),
      v.maxLength(100),
    ),
  }),
  reply: v.object({ named: v.number() }),
});

const noteText = trimmed(2_000, 1);

/** A note is never sent to the buyer. */
export const addNote = endpoint('POST', '/api/admin/orders/:orderId/notes', {
  who: 'change_orders',
  refusals: ['order_not_found', 'buyer_forgotten'],
  summary: 'Write a note about an order',
  body: v.object({ text: noteText, pinned: v.optional(v.boolean()) }),
  reply: v.object({ note_id: v.string() }),
});

/** At most one note of an order is pinned; pinning one unpins the last. */
export const pinNote = endpoint('PUT', '/api/admin/orders/:orderId/notes/:noteId', {
  who: 'change_orders',
  refusals: ['order_not_found', 'note_not_found'],
  summary: 'Put a note on top of its order, or no longer',
  body: v.object({ pinned: v.boolean() }),
});

/**
 * An empty text removes it. It is about the guest of this ticket, follows the ticket to another
 * seat, and is erased with the buyer.
 */
export const writeDoorNote = endpoint(
  'PUT',
  '/api/admin/orders/:orderId/tickets/:ticketId/door-note',
  {
    who: 'change_orders',
    refusals: ['order_not_found', 'ticket_not_found', 'buyer_forgotten'],
    summary: 'Write a short text about a guest, which every phone at the door shows',
    body: v.object({ text: v.pipe(text(doorNoteLength), v.trim()) }),
  },
);

/** The author or an administrator may delete a note. */
export const deleteNote = endpoint('DELETE', '/api/admin/orders/:orderId/notes/:noteId', {
  who: 'change_orders',
  refusals: ['order_not_found', 'note_not_found', 'note_of_another'],
  summary: 'Delete a note',
});

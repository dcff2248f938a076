/**
 * Rehearsals (prova generale) on the wire: practice events for the phones of the door, with a
 * sheet of codes. No money, no mail, no public page.
 */
import * as v from 'valibot';
import { verdicts } from '#server/domain/door/admission.ts';
import { rehearsalPhases } from '#server/domain/door/rehearsal.ts';
import { endpoint, listAsk, pageOf, text, timeOut } from '#server/contract/endpoint.ts';

const phase = v.picklist(rehearsalPhases);

const rehearsal = v.object({
  event_id: v.string(),
  title: v.string(),
  created_at: timeOut,
  /** Phones delete the rehearsal at this time by themselves. */
  wipe_at: timeOut,
  closed_at: v.nullable(timeOut),
  phase,
  gates: v.array(v.string()),
  phones: v.array(v.object({ id: v.string(), name: v.string(), gate: v.nullable(v.string()) })),
});

/**
 * One code of the sheet. `verdict` is the verdict that must appear, `hint` says in Italian how to
 * get it; `seen_by`: the names of the phones on which it appeared.
 */
const card = v.object({
  key: v.string(),
  verdict: v.picklist(verdicts),
  hint: v.string(),
  seat: v.nullable(v.string()),
  category: v.nullable(v.string()),
  gate: v.nullable(v.string()),
  holder: v.nullable(v.string()),
  code: v.string(),
  code_for_people: v.string(),
  seen_by: v.array(v.string()),
});
const rehearsalWithCards = v.object({ ...rehearsal.entries, cards: v.array(card) });

export const listRehearsals = endpoint('GET', '/api/admin/rehearsals', {
  who: 'see_devices',
  summary: 'Rehearsals, the newest first',
  /** `q`: the title. */
  query: v.object(listAsk),
  reply: v.object(pageOf(rehearsal)),
});

/**
 * `event_id`: the event whose seats, categories and gates are used; missing: invented ones.
 * `replaces`: an earlier rehearsal, which is closed and whose phones get the new one. The codes
 * are new, so the sheet must be printed again.
 */
export const makeRehearsal = endpoint('POST', '/api/admin/rehearsals', {
  who: 'change_devices',
  refusals: ['event_not_found'],
  summary: 'Make a practice event with a ticket for every verdict',
  body: v.object({
    event_id: v.optional(v.nullable(text(100, 1))),
    replaces: v.optional(v.nullable(text(100, 1))),
  }),
  reply: rehearsalWithCards,
});

export const readRehearsal = endpoint('GET', '/api/admin/rehearsals/:eventId', {
  who: 'see_devices',
  refusals: ['event_not_found'],
  summary: 'A rehearsal with the codes of its sheet and what the phones have said so far',
  reply: rehearsalWithCards,
});

/**
 * NON ANCORA and INGRESSO CHIUSO concern the whole event: the office opens or closes its doors,
 * and the phones get this like any other change.
 */
export const turnRehearsal = endpoint('PUT', '/api/admin/rehearsals/:eventId', {
  who: 'change_devices',
  refusals: ['event_not_found', 'rehearsal_closed'],
  summary: 'Open or close the doors of a rehearsal',
  body: v.object({ phase }),
  reply: rehearsalWithCards,
});

/**
 * Phones drop the rehearsal at their next contact; their scans are still accepted. May be
 * repeated.
 */
export const closeRehearsal = endpoint('POST', '/api/admin/rehearsals/:eventId/close', {
  who: 'change_devices',
  refusals: ['event_not_found'],
  summary: 'End a rehearsal',
  reply: rehearsalWithCards,
});

/** A4, eight codes on a page, black on white. */
export const downloadSheet = endpoint('GET', '/api/admin/rehearsals/:eventId/sheet.pdf', {
  who: 'see_devices',
  limit: 'document',
  refusals: ['event_not_found'],
  summary: 'The printable sheet of a rehearsal',
  file: 'application/pdf',
});

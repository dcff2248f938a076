/** Shows an invented ticket and its mail with a look that is not saved. */
import { makeTicketsPdf } from '#server/adapters/documents.ts';
import { noFees } from '#server/domain/price/fees.ts';
import { bareEvent } from '#server/domain/event/event.ts';
import { linesOf, plainLook, type LookDraft } from '#server/domain/site/look.ts';
import { spellMail } from '#server/domain/mail/mail-body.ts';
import { writeOrderMail } from '#server/domain/mail/mail.ts';
import { type MailFacts } from '#server/domain/mail/order-facts.ts';
import { paperNoSeal } from '#server/domain/site/fiscal-words.ts';
import { sayChange, sayReentry } from '#server/domain/order/right-words.ts';
import { helpWords } from '#server/domain/order/order-words.ts';
import { thermalParts } from '#server/domain/counter/thermal.ts';
import type { TicketSheet } from '#server/domain/counter/ticket-sheet.ts';
import { trialWords } from '#server/domain/door/trial.ts';
import { formatLongDate, formatTime } from '#server/domain/time/dates.ts';
import type { Ctx } from '#server/services/context.ts';
import { rulesOf, type Document } from '#server/services/order/documents.ts';
import { dressOf } from '#server/services/mail/dress.ts';
import { checkLook } from './change-look.ts';
import { housePaper, pdfLogo } from '#server/services/site/look.ts';
import { organiserOf } from '#server/services/site/site.ts';

const dayMs = 24 * 3_600_000;
const paperTitle = 'Biglietto di prova';
const title = 'La locandiera';
const venue = 'Teatro Goldoni, Corte del Teatro 4, Venezia';
const number = 'A7K2-9QX4';

function sheetAt(starts_at: number): TicketSheet {
  return {
    position: 'Biglietto 1 di 1',
    title,
    date: formatLongDate(starts_at),
    doors: `Apertura porte alle ${formatTime(starts_at - 1_800_000)}`,
    venue,
    trial: trialWords,
    seat: 'Platea, fila A, posto 12',
    gate: 'Ingresso: Varco 1',
    price: 'Intero · 32,00 €',
    holder: null,
    order: `Ordine n. ${number}`,
    code: 'PROVA0000000000000000000000000',
    fiscal: null,
    code_for_people: 'PROV A000 0000 0000',
  };
}

/** The parts of a look that a PDF needs. */
type PaperDraft = {
  [Field in 'logo' | 'pdf_logo' | 'ticket_rules' | 'ticket_foot']?: LookDraft[Field] | undefined;
};

/** An event with the rules of a new one. */
function newEvent(starts_at: number) {
  return { ...bareEvent, status: 'published', starts_at } as const;
}

/** @throws Refusal look_invalid */
export async function previewTicketPdf(
  ctx: Ctx,
  { logo = null, pdf_logo = false, ticket_rules = null, ticket_foot = null }: PaperDraft,
): Promise<Document> {
  const look = checkLook({ ...plainLook, logo, pdf_logo, ticket_rules, ticket_foot });
  const organiser = await organiserOf(ctx);
  const starts_at = ctx.now() + 7 * dayMs;
  const rules = rulesOf(newEvent(starts_at), { tickets: [], now: ctx.now() });
  const content = await makeTicketsPdf({
    title: paperTitle,
    organiser: organiser.name,
    created_at: ctx.now(),
    logo: await pdfLogo(ctx, look),
    footer: [
      `Ordine n. ${number} · 1 biglietto · totale 32,00 €`,
      'Riepilogo d’ordine – non valido ai fini fiscali.',
      ...helpWords(organiser),
      ...linesOf(look.ticket_foot),
    ],
    sheets: [{ ...sheetAt(starts_at), rules: [...rules, ...linesOf(look.ticket_rules)] }],
  });
  return { name: `${paperTitle}.pdf`, type: 'application/pdf', content };
}

/** @throws Refusal look_invalid */
export async function previewOfLook(ctx: Ctx, draft: LookDraft) {
  const look = checkLook(draft);
  const organiser = await organiserOf(ctx);
  const { position: _, ...sheet } = sheetAt(ctx.now() + 7 * dayMs);
  const { subject, html } = spellMail(
    writeOrderMail('tickets', inventedFacts(ctx, organiser)),
    dressOf(look),
  );
  return {
    thermal: thermalParts({
      ...sheet,
      organiser: organiser.name,
      no_seal: paperNoSeal,
      house: housePaper(look),
    }),
    mail: { from_name: look.mail_sender, subject, html },
  };
}

function inventedFacts({ publicUrl, now }: Ctx, organiser: MailFacts['organiser']): MailFacts {
  const starts_at = now() + 7 * dayMs;
  return {
    moved: [],
    codes_replaced: false,
    buyer_name: 'Anna Rossi',
    order: {
      number,
      url: publicUrl,
      calendar_url: publicUrl,
      pdf_url: publicUrl,
      total_cents: 3_200,
      ...noFees,
      paid_cents: 3_200,
      refunded_cents: 0,
      paid_by_hand: false,
      together: [],
      pay_by: now(),
      confirmed_at: now(),
      checkout_open: false,
    },
    event: {
      title,
      url: publicUrl,
      starts_at,
      doors_at: null,
      venue_title: venue,
      venue_address: null,
      terms: null,
      nominative: false,
      names_missing: 0,
      names_due: null,
    },
    seats: ['Platea, fila A, posto 12'],
    trial: true,
    refund_policy: null,
    change_rule: sayChange(newEvent(starts_at), { tickets: [], now: now() }),
    exchange_rule: null,
    reentry_rule: sayReentry(bareEvent),
    refund: null,
    postponement: null,
    holder: null,
    organiser,
  };
}

/**
 * The look of the house on the wire: its logo, colours, opening hours, words in mails and on
 * tickets.
 */
import * as v from 'valibot';
import { endpoint, text, yesNo } from './endpoint.ts';

/** The bound only keeps out very long texts; `look_invalid` names each field that is too long. */
const words = v.nullable(text(2_000));
const colour = v.nullable(text(20));

const logo = v.pipe(text(100), v.regex(/^\/media\/[\w-]{8,40}$/));

const draft = v.object({
  logo: v.nullable(logo),
  accent_light: colour,
  accent_dark: colour,
  hours: words,
  mail_sender: words,
  mail_footer: words,
  ticket_rules: words,
  ticket_foot: words,
  pdf_logo: v.boolean(),
  thermal_logo: v.boolean(),
  thermal_rules: v.boolean(),
  /** The Stripe price of the presale fee of new shows. */ fee_price_id: v.nullable(text(100)),
  /** A second factor for admins and the office (RULES U3); false: as configured. */
  requires_factor: v.boolean(),
});

const look = v.object({
  version: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 31)),
  ...draft.entries,
});

/** `mail_address`: the sender of mails. */
export const readLook = endpoint('GET', '/api/admin/look', {
  who: 'change_site',
  summary: 'Logo, colours, opening hours, words in mails and on tickets',
  reply: v.object({
    ...look.entries,
    mail_address: v.string(),
    /** The configuration requires a second factor already. */ factor_required: v.boolean(),
  }),
});

/**
 * The whole form. `look_invalid` has `detail.fields`: an Italian sentence per field, and for a
 * colour the nearest readable one.
 */
export const writeLook = endpoint('PUT', '/api/admin/look', {
  who: 'change_site',
  refusals: [
    'site_changed',
    'look_invalid',
    'image_unknown',
    'price_not_sellable',
    'provider_silent',
  ],
  summary: 'Change how the house shows itself',
  body: look,
  reply: look,
});

/**
 * Stores the whole picture as `filterImage` does. It is not shown before a look with its address
 * is saved.
 */
export const sendLogo = endpoint('POST', '/api/admin/look/logo', {
  who: 'change_site',
  limit: 'upload',
  refusals: ['image_unreadable', 'image_too_large', 'image_too_small'],
  summary: 'Upload a logo',
  form: v.object({}),
  reply: v.object({ url: v.string(), width: v.number(), height: v.number() }),
});

/** A ticket of the roll: lines of 42 letters, or of 21 wide ones. */
const thermalPart = v.variant('kind', [
  v.object({
    kind: v.literal('line'),
    text: v.string(),
    bold: v.boolean(),
    wide: v.boolean(),
    tall: v.boolean(),
  }),
  v.object({ kind: v.literal('code'), text: v.string() }),
  v.object({ kind: v.picklist(['rule', 'gap', 'logo']) }),
]);

/**
 * One page with an invented ticket that says PROVA, for a frame, which can only send GET. Missing
 * fields are not printed.
 */
export const previewPdf = endpoint('GET', '/api/admin/look/ticket.pdf', {
  who: 'change_site',
  limit: 'document',
  refusals: ['look_invalid'],
  summary: 'A ticket as it would be with this look, as a PDF',
  query: v.object({
    logo: v.optional(logo),
    pdf_logo: yesNo,
    ticket_rules: v.optional(text(2_000)),
    ticket_foot: v.optional(text(2_000)),
  }),
  file: 'application/pdf',
  framed: true,
});

/**
 * The same ticket as the printer would draw it, line by line, and the mail that comes with it.
 */
export const previewLook = endpoint('POST', '/api/admin/look/preview', {
  who: 'change_site',
  limit: 'read',
  refusals: ['look_invalid'],
  summary: 'A thermal ticket and a mail as they would be with this look',
  body: draft,
  reply: v.object({
    thermal: v.array(thermalPart),
    /** `from_name` null: the configuration's own. */
    mail: v.object({ from_name: v.nullable(v.string()), subject: v.string(), html: v.string() }),
  }),
});

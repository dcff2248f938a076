/** Seating charts on the wire: the list, and importing a drawing from a file or from a seats.io account. */
import * as v from 'valibot';
import { regions } from '#server/domain/seat/drawing.ts';
import { endpoint, listAsk, pageOf, text } from './endpoint.ts';

/** `error` stands in the way of an import, `warning` does not; `where` names the place in the hall, `message` says it in Italian. */
const finding = v.object({
  severity: v.picklist(['error', 'warning']),
  where: v.string(),
  message: v.string(),
});

/** The drawing of seats.io's own format; what it must be is the chart server's to say. */
const drawing = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value), 'an object'),
  v.record(v.string(), v.unknown()),
);

/** Letters, digits, hyphen and underscore, so that it needs no encoding anywhere. */
const chartKey = v.pipe(text(100, 1), v.regex(/^[\w-]+$/));

export const listCharts = endpoint('GET', '/api/admin/charts/', {
  who: 'edit_events',
  refusals: ['provider_silent'],
  summary: 'The charts of the seat map, newest first',
  /** `q`: a part of the name, as the seat map searches. */
  query: v.object(listAsk),
  reply: v.object({
    /** False with the real seats.io: it has no public upload. */
    can_import: v.boolean(),
    ...pageOf(
      v.object({
        key: v.string(),
        name: v.string(),
        status: v.picklist(['NOT_USED', 'PUBLISHED', 'PUBLISHED_WITH_DRAFT']),
        /** Null when the seat map could not count them. */
        places: v.nullable(v.number()),
        /** A data: or https: address of a small picture. */
        thumbnail: v.nullable(v.string()),
      }),
    ),
  }),
});

/** What an event on this chart can have prices for. */
export const chartCategories = endpoint('GET', '/api/admin/charts/:chartKey/categories', {
  who: 'edit_events',
  refusals: ['chart_not_found', 'provider_silent'],
  summary: 'The categories of a chart',
  reply: v.object({
    items: v.array(v.object({ key: v.string(), label: v.string(), color: v.nullable(v.string()) })),
  }),
});

/** Only looks: nothing is stored. */
export const checkDrawing = endpoint('POST', '/api/admin/charts/check', {
  who: 'import_charts',
  limit: 'drawing',
  refusals: ['import_not_possible', 'provider_silent'],
  summary: 'What is wrong with a drawing, in words',
  body: v.object({ drawing }),
  reply: v.object({ name: v.nullable(v.string()), findings: v.array(finding) }),
});

/** Without a key the chart server makes one. Refuses a drawing with errors, told in `detail.findings`, and a key that is taken. */
export const importDrawing = endpoint('POST', '/api/admin/charts/import', {
  who: 'import_charts',
  limit: 'drawing',
  refusals: ['import_not_possible', 'drawing_invalid', 'chart_key_taken', 'provider_silent'],
  summary: 'Bring in a drawing as a new chart',
  body: v.object({
    drawing,
    key: v.optional(chartKey),
    /** Where it came from, for the audit: a file’s name or a chart’s key. */ source: v.optional(
      text(200),
    ),
  }),
  reply: v.object({ key: v.string(), findings: v.array(finding) }),
});

/** The secret key is used for this one question and kept nowhere. */
export const fetchDrawing = endpoint('POST', '/api/admin/charts/fetch', {
  who: 'import_charts',
  refusals: ['account_refused', 'chart_not_found', 'provider_silent'],
  summary: 'The published drawing of a chart in somebody’s seats.io account',
  body: v.object({
    secret_key: v.pipe(text(200, 1), v.trim(), v.regex(/^[\u0021-\u007e]+$/)),
    chart_key: v.pipe(text(100, 1), v.trim(), v.regex(/^[\w-]+$/)),
    region: v.picklist(regions),
  }),
  reply: v.object({ drawing }),
});

/**
 * Seating charts on the wire: the list, and importing a drawing from a file or from a seats.io
 * account.
 */
import * as v from 'valibot';
import { regions } from '#server/domain/seat/drawing.ts';
import { endpoint, listAsk, pageOf, text, timeOut, trimmed, yesNo } from './endpoint.ts';

/**
 * `error` prevents an import, `warning` does not; `where` names the place in the hall, `message`
 * is Italian.
 */
const finding = v.object({
  severity: v.picklist(['error', 'warning']),
  where: v.string(),
  message: v.string(),
});

/** A drawing in seats.io's format; the chart server checks it. */
const drawing = v.pipe(
  v.unknown(),
  v.metadata({ type: 'object' }),
  v.check((value) => !Array.isArray(value), 'an object'),
  v.record(v.string(), v.unknown()),
);

/** Letters, digits, hyphen and underscore, so that it needs no encoding anywhere. */
const chartKey = v.pipe(text(100, 1), v.regex(/^[\w-]+$/));

const chartName = trimmed(200, 1);

/** How many events use a chart, how many of these are in the future, and the next ones. */
const used = v.object({
  events: v.number(),
  coming: v.number(),
  next: v.array(v.object({ event_id: v.string(), title: v.string(), starts_at: timeOut })),
});

/** Charts on which nothing is drawn yet come last on their page. */
export const listCharts = endpoint('GET', '/api/admin/charts/', {
  who: 'edit_events',
  refusals: ['provider_silent'],
  summary: 'The charts of the seat map, newest first',
  /** `q`: a part of the chart's name, by which the seat map searches. */
  query: v.object({ ...listAsk, archived: yesNo }),
  reply: v.object({
    /** False with the real seats.io, which has no public upload. */
    can_import: v.boolean(),
    ...pageOf(
      v.object({
        key: v.string(),
        name: v.string(),
        status: v.picklist(['NOT_USED', 'PUBLISHED', 'PUBLISHED_WITH_DRAFT']),
        /** Null when the seat map could not count the places. */
        places: v.nullable(v.number()),
        /** A data: or https: address of a small picture. */
        thumbnail: v.nullable(v.string()),
        used,
      }),
    ),
  }),
});

/** The categories for which an event on this chart can have prices. */
export const chartCategories = endpoint('GET', '/api/admin/charts/:chartKey/categories', {
  who: 'edit_events',
  refusals: ['chart_not_found', 'provider_silent'],
  summary: 'The categories of a chart',
  reply: v.object({
    items: v.array(v.object({ key: v.string(), label: v.string(), color: v.nullable(v.string()) })),
  }),
});

/**
 * The tables, booths and areas of a chart that an event can sell whole. `places`: as drawn, for a
 * booth 1; `drawn_whole`: false for a table whose seats are drawn to be sold one by one. `in_use`:
 * something of it is held, kept or sold in the event of the query.
 */
export const chartWholes = endpoint('GET', '/api/admin/charts/:chartKey/whole_objects', {
  who: 'edit_events',
  refusals: ['chart_not_found', 'provider_silent'],
  summary: 'What of a chart can be sold whole',
  query: v.object({ event_id: v.optional(text(100, 1)) }),
  reply: v.object({
    items: v.array(
      v.object({
        label: v.string(),
        name: v.string(),
        kind: v.picklist(['table', 'booth', 'area']),
        category_key: v.string(),
        places: v.number(),
        drawn_whole: v.boolean(),
        in_use: v.boolean(),
      }),
    ),
  }),
});

/** Checks a drawing and stores nothing. */
export const checkDrawing = endpoint('POST', '/api/admin/charts/check', {
  who: 'import_charts',
  limit: 'drawing',
  refusals: ['import_not_possible', 'provider_silent'],
  summary: 'What is wrong with a drawing, in words',
  body: v.object({ drawing }),
  reply: v.object({ name: v.nullable(v.string()), findings: v.array(finding) }),
});

/**
 * Without a key the chart server makes one. Refuses a drawing with errors, listed in
 * `detail.findings`, and a key that is in use.
 */
export const importDrawing = endpoint('POST', '/api/admin/charts/import', {
  who: 'import_charts',
  work: 'chart_import',
  limit: 'drawing',
  refusals: ['import_not_possible', 'drawing_invalid', 'chart_key_taken', 'provider_silent'],
  summary: 'Bring in a drawing as a new chart',
  body: v.object({
    drawing,
    key: v.optional(chartKey),
    /** The origin for the audit: a file’s name or a chart’s key. */
    source: v.optional(text(200)),
  }),
  reply: v.object({ key: v.string(), findings: v.array(finding) }),
});

/** The secret key is used for this call only and never stored. */
export const fetchDrawing = endpoint('POST', '/api/admin/charts/fetch', {
  who: 'import_charts',
  refusals: ['account_refused', 'chart_not_found', 'provider_silent'],
  summary: 'The published drawing of a chart in somebody’s seats.io account',
  body: v.object({
    secret_key: v.pipe(text(200, 1), v.regex(/^\s*[!-~]+\s*$/), v.trim()),
    chart_key: v.pipe(text(100, 1), v.regex(/^\s*[\w-]+\s*$/), v.trim()),
    region: v.picklist(regions),
  }),
  reply: v.object({ drawing }),
});

const chartDesk = ['import_not_possible', 'chart_not_found', 'provider_silent'] as const;
const versionNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e12));
const newKey = v.object({ key: v.string() });

/**
 * `version` is that of the draft, or of the published drawing where there is no draft. `taken`:
 * objects that are sold, held or blocked.
 */
export const readChart = endpoint('GET', '/api/admin/charts/:chartKey', {
  who: 'import_charts',
  refusals: chartDesk,
  summary: 'A chart with its draft, its published drawing and where it is used',
  reply: v.object({
    key: v.string(),
    name: v.string(),
    archived: v.boolean(),
    version: v.number(),
    is_draft: v.boolean(),
    saved_at: v.nullable(timeOut),
    saved_by: v.nullable(v.string()),
    published_at: v.nullable(timeOut),
    published_by: v.nullable(v.string()),
    taken: v.number(),
    used,
    /** Where the designer’s script is. */
    chart: v.object({ script_url: v.string(), region: v.string() }),
  }),
});

/** The orders with places that a drawing would remove; ids of no order are left out. */
export const chartHolders = endpoint('POST', '/api/admin/chart-holders', {
  who: 'import_charts',
  limit: 'read',
  summary: 'Orders by their ids: number and buyer',
  body: v.object({ order_ids: v.pipe(v.array(text(100, 1)), v.maxLength(1_000)) }),
  reply: v.object({
    items: v.array(
      v.object({ order_id: v.string(), number: v.string(), buyer: v.nullable(v.string()) }),
    ),
  }),
});

export const chartTemplates = endpoint('GET', '/api/admin/chart-templates', {
  who: 'import_charts',
  refusals: ['import_not_possible', 'provider_silent'],
  summary: 'Drawings that a new chart may begin with',
  reply: v.object({
    items: v.array(
      v.object({
        key: v.string(),
        name: v.string(),
        places: v.number(),
        kind: v.picklist(['room', 'hall']),
        picture: v.string(),
      }),
    ),
  }),
});

/** Makes a chart, which is empty without a template. */
export const makeChart = endpoint('POST', '/api/admin/charts/', {
  who: 'import_charts',
  refusals: ['import_not_possible', 'template_unknown', 'provider_silent'],
  summary: 'A new chart',
  body: v.object({ name: chartName, template: v.optional(v.nullable(text(100, 1)), null) }),
  reply: newKey,
});

/** The copy includes drafts that are not published yet. */
export const copyChart = endpoint('POST', '/api/admin/charts/:chartKey/copy', {
  who: 'import_charts',
  refusals: chartDesk,
  summary: 'A chart once more under another name',
  body: v.object({ name: chartName }),
  reply: newKey,
});

/** Renames the chart immediately, on sale and in the draft. */
export const renameChart = endpoint('POST', '/api/admin/charts/:chartKey/rename', {
  who: 'import_charts',
  refusals: chartDesk,
  summary: 'Another name for a chart',
  body: v.object({ name: chartName }),
});

/** Only takes the chart off the list; its events continue. */
export const archiveChart = endpoint('POST', '/api/admin/charts/:chartKey/archive', {
  who: 'import_charts',
  refusals: chartDesk,
  summary: 'Put a chart aside, or take it back',
  body: v.object({ archived: v.boolean() }),
});

/** Newest first; the chart server keeps the last thirty versions. */
export const chartVersions = endpoint('GET', '/api/admin/charts/:chartKey/versions', {
  who: 'import_charts',
  refusals: chartDesk,
  summary: 'The drawings of a chart that were published',
  reply: v.object({
    items: v.array(
      v.object({
        version: v.number(),
        name: v.string(),
        places: v.number(),
        published_at: v.nullable(timeOut),
        published_by: v.nullable(v.string()),
        is_published: v.boolean(),
      }),
    ),
  }),
});

/**
 * Restores a version as a draft: the chart on sale stays until the draft is published. `from`:
 * the `version` of readChart, so that no other change is overwritten unseen.
 */
export const restoreChart = endpoint('POST', '/api/admin/charts/:chartKey/restore', {
  who: 'import_charts',
  refusals: [...chartDesk, 'chart_version_gone', 'chart_changed'],
  summary: 'Bring back an earlier drawing of a chart',
  body: v.object({ version: versionNumber, from: versionNumber }),
});

/** The published drawing in seats.io’s own format, also from a seats.io account. */
export const exportDrawing = endpoint('GET', '/api/admin/charts/:chartKey/drawing', {
  who: 'import_charts',
  limit: 'drawing',
  refusals: ['chart_not_found', 'provider_silent'],
  summary: 'The published drawing of a chart',
  reply: v.object({ drawing }),
});

/**
 * A token in place of the chart server’s secret key, for the designer’s calls of this chart under
 * `/standins/seatsio/`. It is valid for ten minutes; the session may get further ones.
 */
export const mintDesignerToken = endpoint('POST', '/api/admin/charts/:chartKey/designer-token', {
  who: 'import_charts',
  refusals: chartDesk,
  summary: 'A token to draw one chart with',
  reply: v.object({ token: v.string(), expires_at: timeOut }),
});

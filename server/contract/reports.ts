/**
 * Reports on the wire: figures of an event, a show, a season or some days, as tables and as
 * files.
 */
import * as v from 'valibot';
import { reportNames, shapes, units } from '#server/domain/report/figure.ts';
import { dayIn, endpoint, text, timeOut } from './endpoint.ts';

/**
 * The subject: one of `event_id`, `show_id`, `season` (the year in which it begins) or the days
 * `from` and `to` (in Rome, both included). `against`: an event to compare with, or `before` for
 * the show's date before.
 */
const scope = {
  event_id: v.optional(text(100, 1)),
  show_id: v.optional(text(100, 1)),
  season: v.optional(v.pipe(v.string(), v.regex(/^20\d\d$/))),
  from: v.optional(dayIn),
  to: v.optional(dayIn),
  against: v.optional(text(100, 1)),
};

/** `day` cells are text, `time` cells milliseconds in UTC. */
const cell = v.nullable(v.union([v.string(), v.number()]));

const figure = v.object({
  id: v.string(),
  title: v.string(),
  note: v.nullable(v.string()),
  shape: v.picklist(shapes),
  columns: v.array(
    v.object({
      key: v.string(),
      label: v.string(),
      unit: v.picklist(units),
      pale: v.optional(v.boolean()),
    }),
  ),
  rows: v.array(v.array(cell)),
  total: v.nullable(v.array(cell)),
});

/**
 * `counted_at`: when the figures were counted, at most a minute ago. `name`: the subject of the
 * report, in words.
 */
export const readReport = endpoint('GET', '/api/admin/reports/:report', {
  who: 'see_reports',
  summary: 'The figures of a report',
  refusals: ['event_not_found', 'show_not_found'],
  query: v.object(scope),
  reply: v.object({
    report: v.picklist(reportNames),
    name: v.string(),
    against: v.nullable(v.string()),
    counted_at: timeOut,
    figures: v.array(figure),
  }),
});

/**
 * `figure`: only this one; a CSV has one table, a workbook a sheet for each. `excel`: as Italian
 * Excel opens it; `plain`: comma, decimal point; no cell can start a formula.
 */
export const readReportFile = endpoint('GET', '/api/admin/reports/:report/file', {
  who: 'see_reports',
  work: 'report_file',
  limit: 'document',
  file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  summary: 'A report or one figure of it as a workbook or CSV',
  refusals: ['event_not_found', 'show_not_found'],
  query: v.object({
    ...scope,
    figure: v.optional(text(60, 1)),
    format: v.optional(v.picklist(['excel', 'plain', 'xlsx'])),
  }),
});

/**
 * Work that a person starts and the server carries on: its kinds, its states, and which right a
 * person needs to see what others have started.
 */
import { withOther } from '#server/domain/text/newer-word.ts';
import type { Right } from './rights.ts';

/** Work of one request, and a backup: it has a row in `started_work`. */
export const requestWorks = [
  'orders_file',
  'scans_file',
  'guests_file',
  'answers_file',
  'registry_file',
  'invoices_file',
  'payout_file',
  'evening_file',
  'summary_file',
  'conventions_file',
  'report_file',
  'book_file',
  'person_file',
  'codes_file',
  'seals_import',
  'scans_import',
  'chart_import',
  'new_dates',
  'event_news',
  'backup',
] as const;
export type RequestWork = (typeof requestWorks)[number];

/** Files that are made page by page while they are sent, so that they can be stopped. */
export const stoppableWorks: readonly RequestWork[] = [
  'orders_file',
  'scans_file',
  'registry_file',
];

/** Work of the first five kinds has its own rows elsewhere. */
export const startedKinds = [
  'message',
  'refunds',
  'rehousing',
  'postponement',
  'transfer',
  ...requestWorks,
] as const;
export type StartedKind = (typeof startedKinds)[number];

/**
 * The right that shows a person the work of others: to start it, or to read it elsewhere. A kind
 * that only a newer version knows needs the right to see everything.
 */
export const seenWith = withOther<Record<StartedKind, Right>>(
  {
    message: 'send_messages',
    refunds: 'refund',
    rehousing: 'edit_events',
    postponement: 'edit_events',
    transfer: 'refund',
    event_news: 'edit_events',
    orders_file: 'export_orders',
    scans_file: 'export_orders',
    guests_file: 'export_orders',
    answers_file: 'export_orders',
    registry_file: 'see_audit',
    invoices_file: 'see_invoices',
    payout_file: 'see_money',
    evening_file: 'see_money',
    summary_file: 'see_money',
    conventions_file: 'see_money',
    report_file: 'see_reports',
    book_file: 'see_money',
    person_file: 'see_personal_data',
    codes_file: 'edit_events',
    seals_import: 'change_papers',
    scans_import: 'import_scans',
    chart_import: 'import_charts',
    new_dates: 'edit_events',
    backup: 'see_health',
  },
  'see_audit',
);

/** How a row of `started_work` ended. `cut`: its receiver went away before the end. */
export const workEnds = ['done', 'failed', 'stopped', 'cut'] as const;
export type WorkEnd = (typeof workEnds)[number];

/**
 * `waiting`: begins by itself. `partly`: ended, but some of it did not succeed. `called_off`: ended
 * before it changed anything. `broken`: its process died.
 */
export const startedStates = [
  'waiting',
  'running',
  'stopped',
  'done',
  'partly',
  'failed',
  'cut',
  'called_off',
  'broken',
] as const;
export type StartedState = (typeof startedStates)[number];

/** States in which the server still works on it. */
export function isUnderWay(state: StartedState): boolean {
  return state === 'waiting' || state === 'running';
}

/** What is counted. */
export const startedUnits = ['mails', 'refunds', 'tickets', 'orders', 'bytes'] as const;
export type StartedUnit = (typeof startedUnits)[number];

/** What keeps the work from going on. */
export const startedTroubles = ['mail_not_set_up', 'mail_waits', 'provider_silent'] as const;
export type StartedTrouble = (typeof startedTroubles)[number];

/** Ended work is listed for this long. */
export const startedShownMs = 7 * 24 * 3_600_000;
/** A request that succeeded within this time is not listed, because no person waited for it. */
export const momentMs = 2_000;

/**
 * Fiscal seals on the wire: those of an event, the preview and the import of a file, and undoing
 * an import (RULES L7).
 */
import * as v from 'valibot';
import { regimes } from '#server/domain/papers/regime.ts';
import { sealColumns, sealOutcomes, sealProblems } from '#server/domain/papers/seal-file.ts';
import { endpoint, text, timeOut } from './endpoint.ts';

/**
 * `tickets`: the number of valid tickets. `missing`: those without a seal where the regime
 * requires one; the first of them are named.
 */
export const readSeals = endpoint('GET', '/api/admin/events/:eventId/seals', {
  who: 'change_papers',
  refusals: ['event_not_found'],
  summary:
    'How the takings of an event are certified, which tickets miss a seal, and which files were taken in',
  reply: v.object({
    regime: v.picklist(regimes),
    tickets: v.number(),
    sealed: v.number(),
    missing: v.number(),
    first_missing: v.array(
      v.object({
        ticket_id: v.string(),
        order_id: v.string(),
        order_number: v.string(),
        seat: v.string(),
        type_label: v.string(),
      }),
    ),
    imports: v.array(
      v.object({
        import_id: v.string(),
        seals: v.number(),
        left_out: v.number(),
        actor: v.string(),
        created_at: timeOut,
        undone_at: v.nullable(timeOut),
        undone_by: v.nullable(v.string()),
      }),
    ),
  }),
});

/**
 * A CSV with Italian headings, as any spreadsheet writes it; a refusal's detail has `reason` and
 * `line`. The preview stores nothing. `lines`: at most 200, wrong ones first. The import must send
 * the `digest`.
 */
export const previewSeals = endpoint('POST', '/api/admin/events/:eventId/seals/preview', {
  who: 'change_papers',
  limit: 'upload',
  refusals: ['event_not_found', 'seal_file_unreadable'],
  summary: 'Look at a file of seals before it is taken in',
  form: v.object({}),
  reply: v.object({
    columns: v.array(v.object({ column: v.picklist(sealColumns), heading: v.string() })),
    ignored: v.array(v.string()),
    digest: v.string(),
    counts: v.object({
      new: v.number(),
      replaces: v.number(),
      same: v.number(),
      wrong: v.number(),
    }),
    still_missing: v.number(),
    lines: v.array(
      v.object({
        line: v.number(),
        seat: v.nullable(v.string()),
        order_number: v.nullable(v.string()),
        seal: v.string(),
        progressive: v.nullable(v.string()),
        card: v.nullable(v.string()),
        outcome: v.picklist(sealOutcomes),
        problem: v.nullable(v.picklist(sealProblems)),
      }),
    ),
  }),
});

/**
 * Imports the correct lines of the same file, all together. 409 seals_changed if the result would
 * differ from the preview.
 */
export const importSeals = endpoint('POST', '/api/admin/events/:eventId/seals', {
  who: 'change_papers',
  work: 'seals_import',
  limit: 'upload',
  refusals: ['event_not_found', 'seal_file_unreadable', 'seals_changed', 'nothing_to_import'],
  summary: 'Take in a file of seals as it was previewed',
  form: v.object({ digest: text(64, 1) }),
  reply: v.object({ import_id: v.string(), seals: v.number() }),
});

/**
 * Takes an import back: the seals that it replaced are valid again. 409 if a later import
 * replaced one of its own seals.
 */
export const undoSeals = endpoint('DELETE', '/api/admin/events/:eventId/seals/:importId', {
  who: 'change_papers',
  refusals: ['seal_import_not_found', 'seal_import_stays'],
  summary: 'Take an import of seals back',
});

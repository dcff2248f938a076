/**
 * Fiscal seals from a recognised ticketing system: listed, imported from a file in one
 * transaction, and taken back (RULES L7).
 */
import { createHash } from 'node:crypto';
import {
  findSealImport,
  insertSeals,
  sealableTickets,
  sealImportsOf,
  undoSealImport,
} from '#db/papers/papers.ts';
import { isUniqueViolation, type Db } from '#db/engine/dialect.ts';
import { transact } from '#db/engine/transact.ts';
import { lockEvent } from '#db/event/events.ts';
import type { EventRow, SealImportRow } from '#db/rows.ts';
import { sealOutcomes } from '#server/domain/papers/seal-file.ts';
import { needsSeals } from '#server/domain/papers/regime.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { compareNames, seatName } from '#server/domain/seat/seat-name.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { knownEvent } from '#server/services/event/events.ts';
import { inTurns } from '#server/services/kit/in-turns.ts';
import { memo } from '#server/services/kit/memo.ts';
import { happened } from '#server/services/kit/happened.ts';
import { namesOf } from '#server/services/user/actors.ts';
import { planSeals, type PlannedLine } from './seal-plan.ts';
import { readSealFile } from './seal-file.ts';

/** A longer list is cut; its full length is given too. */
const mostListed = 200;

/** @throws Refusal event_not_found */
export async function sealsOfEvent(ctx: Ctx, event_id: string) {
  const event = await knownEvent(ctx, event_id);
  const imports = await sealImportsOf(ctx.db, event_id);
  const counts = await countsOf(ctx, event, imports);
  const nameOf = await namesOf(
    ctx.db,
    imports.flatMap(({ actor, undone_by }) => [actor, undone_by ?? actor] as Actor[]),
  );
  return {
    regime: event.regime,
    ...counts,
    imports: imports.map((made) => ({
      ...made,
      import_id: made.id,
      actor: nameOf(made.actor as Actor),
      undone_by: made.undone_by === null ? null : nameOf(made.undone_by as Actor),
    })),
  };
}

type Counts = Awaited<ReturnType<typeof countSealed>>;
const known = memo<Counts>({ freshMs: Number.POSITIVE_INFINITY, most: 100 });

/** The screen asks often, so tickets are read again only if one or an import has changed. */
function countsOf(
  { db, memory }: Ctx,
  event: EventRow,
  imports: readonly SealImportRow[],
): Promise<Counts> {
  const undone = imports.filter(({ undone_at }) => undone_at !== null).length;
  const key = JSON.stringify([event.id, event.feed_seq, event.regime, imports.length, undone]);
  return known.get(memory, { key, ask: () => countSealed(db, event) });
}

async function countSealed(db: Db, event: EventRow) {
  const tickets = await sealableTickets(db, event.id);
  const missing = needsSeals(event)
    ? tickets
        .filter(({ seal }) => seal === null)
        .map((ticket) => ({ ...ticket, ticket_id: ticket.id, seat: seatName(ticket) }))
        .toSorted((one, other) => compareNames(one.seat, other.seat))
    : [];
  return {
    tickets: tickets.length,
    sealed: tickets.filter(({ seal }) => seal !== null).length,
    missing: missing.length,
    first_missing: missing.slice(0, mostListed),
  };
}

/**
 * What an import would do; stores nothing. `digest`: stands for this result; an import with
 * another result is refused.
 * @throws Refusal event_not_found, seal_file_unreadable
 */
export async function previewSeals(ctx: Ctx, event_id: string, bytes: Uint8Array) {
  const event = await knownEvent(ctx, event_id);
  const { lines, columns, ignored } = await readSealFile(bytes);
  const { planned, tickets } = await planSeals(ctx.db, event, lines);
  const gets = new Set(
    planned.flatMap(({ ticket, outcome }) => (isWritten(outcome) ? (ticket?.id ?? []) : [])),
  );
  const wrong = planned.filter(({ outcome }) => outcome === 'wrong');
  const right = planned.filter(({ outcome }) => outcome !== 'wrong');
  return {
    columns,
    ignored,
    digest: await digestOf(planned),
    counts: Object.fromEntries(
      sealOutcomes.map((one) => [one, planned.filter(({ outcome }) => outcome === one).length]),
    ) as Record<PlannedLine['outcome'], number>,
    still_missing: tickets.filter(({ id, seal }) => seal === null && !gets.has(id)).length,
    // Wrong lines come first, because a person must look at them.
    lines: [...wrong, ...right].slice(0, mostListed).map(({ ticket, ...line }) => ({
      ...line,
      seat: ticket === null ? null : seatName(ticket),
      order_number: ticket?.order_number ?? null,
    })),
  };
}

function isWritten(outcome: PlannedLine['outcome']): boolean {
  return outcome === 'new' || outcome === 'replaces';
}

async function digestOf(planned: readonly PlannedLine[]): Promise<string> {
  const digest = createHash('sha256');
  await inTurns(planned, ({ line, ticket, seal, progressive, card, outcome }) => {
    const known = ticket && [ticket.id, ticket.place, ticket.seal];
    digest.update(JSON.stringify([line, known, seal, progressive, card, outcome]));
  });
  return digest.digest('hex');
}

/**
 * Imports all right lines of the file in one transaction.
 * @throws Refusal event_not_found, seal_file_unreadable, seals_changed, nothing_to_import
 */
export async function importSeals(
  ctx: Ctx,
  event_id: string,
  { bytes, digest, actor }: { bytes: Uint8Array; digest: string; actor: Actor },
) {
  const event = await knownEvent(ctx, event_id);
  const { lines } = await readSealFile(bytes);
  const id = ctx.newId();
  const work = transact(ctx.db, async (trx) => {
    // A second import waits here until the first is stored, and then sees its seals.
    await lockEvent(trx, event_id);
    const { planned } = await planSeals(trx as Db, event, lines);
    if ((await digestOf(planned)) !== digest) throw new Refusal('seals_changed');
    const written = planned.filter(({ outcome }) => isWritten(outcome));
    if (written.length === 0) throw new Refusal('nothing_to_import');
    const left_out = planned.length - written.length;
    const made = {
      id,
      event_id,
      seals: written.length,
      left_out,
      actor,
      created_at: ctx.now(),
      undone_at: null,
      undone_by: null,
    };
    await insertSeals(
      trx,
      made,
      written.map(({ ticket, seal, progressive, card }) => ({
        import_id: id,
        ticket_id: ticket!.id,
        place: ticket!.place,
        seal,
        progressive,
        card,
        replaced_by: null,
      })),
    );
    await happened(ctx, trx, {
      actor,
      action: 'seals_imported',
      subject: event_id,
      detail: { import_id: id, seals: written.length, left_out },
    });
    return { import_id: id, seals: written.length };
  });
  return work.catch((error: unknown) => {
    throw isUniqueViolation(error) ? new Refusal('seals_changed') : error;
  });
}

/**
 * @throws Refusal seal_import_not_found; seal_import_stays if the import was taken back before or
 * a later one has replaced one of its seals
 */
export async function undoSeals(
  ctx: Ctx,
  { event_id, import_id, actor }: { event_id: string; import_id: string; actor: Actor },
): Promise<void> {
  const name = { id: import_id, event_id };
  const made = await findSealImport(ctx.db, name);
  if (made === undefined) throw new Refusal('seal_import_not_found');
  await transact(ctx.db, async (trx) => {
    await lockEvent(trx, event_id);
    const undone = { undone_at: ctx.now(), undone_by: actor };
    if (!(await undoSealImport(trx, name, undone))) throw new Refusal('seal_import_stays');
    await happened(ctx, trx, {
      actor,
      action: 'seals_import_undone',
      subject: event_id,
      detail: { import_id, seals: made.seals },
    });
  });
}

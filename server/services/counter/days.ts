/**
 * Closes a day: a person counts the cash for the bank and types the terminals' totals, only then
 * sees what is expected, and signs; a signed sheet never changes (RULES K8).
 */
import {
  changeSheet,
  insertSheet,
  lockCounted,
  sheetsOfDay,
  sheetsSince,
} from '#db/counter/day-sheets.ts';
import { transact } from '#db/engine/transact.ts';
import type { DaySheetRow } from '#db/rows.ts';
import { countDrawer } from '#server/domain/counter/counter.ts';
import {
  firstFloats,
  isDayEven,
  reckonDay,
  requireOwnTerminals,
  type DayCount,
  type DayFigures,
} from '#server/domain/counter/day-sheet.ts';
import { Refusal } from '#server/domain/refusal.ts';
import { requireValue } from '#server/domain/require-value.ts';
import { dayOf, dayText, romeDay, startOfDay } from '#server/domain/time/rome-clock.ts';
import type { Actor, Ctx } from '#server/services/context.ts';
import { happened } from '#server/services/kit/happened.ts';
import { namesOf, type NameOf } from '#server/services/user/actors.ts';
import { readFigures, spanOfDay, tillShifts } from './day-figures.ts';

/** How far back the list of days reaches. */
const listedDays = 62;

/** The last days on which a till was open or a sheet was made, and today; newest first. */
export async function dayList(ctx: Ctx) {
  const today = romeDay(ctx.now());
  const first = dayText(today - listedDays);
  const span = { from: startOfDay(today - listedDays), to: startOfDay(today + 1) };
  const shifts = Map.groupBy(await tillShifts(ctx.db, span), ({ opened_at }) =>
    dayText(romeDay(opened_at)),
  );
  const sheets = Map.groupBy(await sheetsSince(ctx.db, first), ({ day }) => day);
  const days = [...new Set([...shifts.keys(), ...sheets.keys(), dayText(today)])];
  const nameOf = await namesOf(ctx.db, signersOf([...sheets.values()].flat()));
  return {
    items: days
      .toSorted((one, other) => other.localeCompare(one))
      .map((day) => {
        const begun = shifts.get(day) ?? [];
        const signed = (sheets.get(day) ?? []).filter(({ signed_at }) => signed_at !== null);
        const last = signed.at(-1);
        return {
          day,
          shifts: begun.length,
          open_shifts: begun.filter(({ closed_at }) => closed_at === null).length,
          sheet: last === undefined ? null : signedSheet(last, nameOf),
        };
      }),
  };
}

/** What a person may know of a day: before it is counted no sum that is expected. */
export async function readDay(ctx: Ctx, day: string) {
  const shifts = await tillShifts(ctx.db, spanOfDay(day));
  const isOpen = shifts.some(({ closed_at }) => closed_at === null);
  const sheets = await sheetsOfDay(ctx.db, day);
  const counted = sheets.find(({ signed_at }) => signed_at === null);
  const signed = sheets.filter(({ signed_at }) => signed_at !== null);
  const nameOf = await namesOf(ctx.db, [
    ...signersOf(sheets),
    ...shifts.map(({ user_id }) => `user:${user_id}`),
  ]);
  const isKnown = !isOpen && (counted !== undefined || signed.length > 0);
  const figures = isKnown ? await readFigures(ctx.db, day) : null;
  return {
    day,
    shifts: shifts.map((shift) => ({
      ...shift,
      shift_id: shift.id,
      user_name: nameOf(`user:${shift.user_id}`),
    })),
    float_cents: firstFloats(shifts),
    counted: counted && figures ? countedSheet(counted, figures, nameOf) : null,
    signed: signed.map((row) => signedSheet(row, nameOf)).toReversed(),
    changed: figures !== null && hasChanged(signed.at(-1), figures),
  };
}

function signersOf(sheets: readonly DaySheetRow[]): Actor[] {
  return sheets.flatMap(({ counted_by, signed_by }) => [
    counted_by as Actor,
    ...(signed_by === null ? [] : [signed_by as Actor]),
  ]);
}

function countOf({ pieces, left_cents, terminals }: DaySheetRow): DayCount {
  return {
    pieces: JSON.parse(pieces) as DayCount['pieces'],
    left_cents,
    terminals: JSON.parse(terminals) as DayCount['terminals'],
  };
}

function countedSheet(row: DaySheetRow, figures: DayFigures, nameOf: NameOf) {
  const count = countOf(row);
  return {
    ...count,
    nth: row.nth,
    counted_at: row.counted_at,
    counted_by: nameOf(row.counted_by as Actor),
    figures,
    reckoning: reckonDay(figures, count),
  };
}

export type SignedSheet = ReturnType<typeof signedSheet>;

function signedSheet(row: DaySheetRow, nameOf: NameOf) {
  const figures = JSON.parse(requireValue(row.figures, 'figures')) as DayFigures;
  return {
    ...countedSheet(row, figures, nameOf),
    corrects: row.nth > 1 ? row.nth - 1 : null,
    signed_at: requireValue(row.signed_at, 'signature'),
    signed_by: nameOf(requireValue(row.signed_by, 'signature') as Actor),
    handed_to: requireValue(row.handed_to, 'bearer'),
    difference_reason: row.difference_reason,
  };
}

/** Whether money came or went after the day was signed. */
function hasChanged(last: DaySheetRow | undefined, figures: DayFigures): boolean {
  if (last === undefined) return false;
  return requireValue(last.figures, 'figures') !== JSON.stringify(figures);
}

interface CountAsk extends DayCount {
  /** The number of the signed sheet that the new one corrects. */
  corrects?: number | undefined;
}

/**
 * Stores what was counted; a repeat replaces it until the day is signed.
 * @throws Refusal day_ahead, day_shift_open, day_signed, bad_request
 */
export async function countDay(ctx: Ctx, actor: Actor, day: string, ask: CountAsk) {
  if (dayOf(day) > romeDay(ctx.now())) throw new Refusal('day_ahead');
  const banked_cents = countDrawer(ask.pieces);
  await transact(ctx.db, async (trx) => {
    const shifts = await tillShifts(trx, spanOfDay(day));
    if (shifts.some(({ closed_at }) => closed_at === null)) throw new Refusal('day_shift_open');
    requireOwnTerminals(
      ask,
      shifts.map(({ id }) => id),
    );
    const sheets = await sheetsOfDay(trx, day);
    const last = sheets.filter(({ signed_at }) => signed_at !== null).at(-1);
    if ((last?.nth ?? null) !== (ask.corrects ?? null)) throw new Refusal('day_signed');
    const count = {
      pieces: JSON.stringify(ask.pieces),
      left_cents: ask.left_cents,
      terminals: JSON.stringify(ask.terminals),
      counted_at: ctx.now(),
      counted_by: actor,
    };
    const known = await lockCounted(trx, day);
    const nth = (last?.nth ?? 0) + 1;
    const row = { ...unsigned, ...count, id: ctx.newId(), day, nth };
    const isStored = known ? await changeSheet(trx, known.id, count) : await insertSheet(trx, row);
    if (!isStored) throw new Refusal('day_signed');
    await happened(ctx, trx, {
      actor,
      action: 'day_counted',
      subject: day,
      detail: { day, nth, banked_cents, left_cents: ask.left_cents },
    });
  });
  return readDay(ctx, day);
}

const unsigned = {
  signed_at: null,
  signed_by: null,
  handed_to: null,
  difference_reason: null,
  figures: null,
};

interface SignAsk {
  /** The sums that the person saw. */
  expected: { cash_cents: number; pos_cents: number };
  handed_to: string;
  difference_reason?: string | undefined;
}

/** @throws Refusal day_not_counted, day_shift_open, day_changed, day_unexplained */
export async function signDay(ctx: Ctx, actor: Actor, day: string, ask: SignAsk) {
  const difference_reason = ask.difference_reason?.trim() || null;
  await transact(ctx.db, async (trx) => {
    const sheet = await lockCounted(trx, day);
    if (!sheet) throw new Refusal('day_not_counted');
    const shifts = await tillShifts(trx, spanOfDay(day));
    if (shifts.some(({ closed_at }) => closed_at === null)) throw new Refusal('day_shift_open');
    const figures = await readFigures(trx, day);
    const reckoning = reckonDay(figures, countOf(sheet));
    const { cash, pos } = reckoning;
    const isSame =
      cash.expected_cents === ask.expected.cash_cents &&
      pos.expected_cents === ask.expected.pos_cents;
    if (!isSame) throw new Refusal('day_changed');
    if (difference_reason === null && !isDayEven(reckoning)) throw new Refusal('day_unexplained');
    await changeSheet(trx, sheet.id, {
      signed_at: ctx.now(),
      signed_by: actor,
      handed_to: ask.handed_to,
      difference_reason,
      figures: JSON.stringify(figures),
    });
    await happened(ctx, trx, {
      actor,
      action: 'day_signed',
      subject: day,
      detail: {
        day,
        nth: sheet.nth,
        banked_cents: cash.banked_cents,
        expected_cents: cash.expected_cents,
        handed_to: ask.handed_to,
        reason: difference_reason,
      },
    });
  });
  return readDay(ctx, day);
}

/** @throws Refusal day_sheet_not_found */
export async function signedDay(ctx: Ctx, day: string, nth: number): Promise<SignedSheet> {
  const sheets = await sheetsOfDay(ctx.db, day);
  const row = sheets.find((sheet) => sheet.nth === nth && sheet.signed_at !== null);
  if (!row) throw new Refusal('day_sheet_not_found');
  return signedSheet(row, await namesOf(ctx.db, signersOf([row])));
}

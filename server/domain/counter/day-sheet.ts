/**
 * The closing of a day: all its shifts beside the cash for the bank and the totals of the card
 * terminals (RULES K8).
 */
import { Refusal } from '#server/domain/refusal.ts';
import { countDrawer, expectedCash, type DrawerFacts } from './counter.ts';

interface Moved {
  taken_cents: number;
  given_cents: number;
}

/** One shift that began on the day. */
export interface ShiftOfDay extends DrawerFacts {
  shift_id: string;
  till_id: string;
  till_name: string;
  user_name: string;
  opened_at: number;
  closed_at: number;
  counted_cents: number;
  pos: Moved;
}

/** The money of a day. What an exchange credits is none of it. */
export interface DayFigures {
  shifts: ShiftOfDay[];
  /** Handed over in no till, such as a transfer. */
  outside: (Moved & { method: string })[];
  online: Moved & { payments: number; refunds: number };
}

/** What a person has counted before the sheet tells what is expected. */
export interface DayCount {
  pieces: Record<string, number>;
  /** What stays in the drawers. */ left_cents: number;
  terminals: Record<string, number>;
}

export type DayReckoning = ReturnType<typeof reckonDay>;

/** The floats with which the tills began the day: what usually stays in their drawers. */
export function firstFloats(
  shifts: readonly Pick<ShiftOfDay, 'till_id' | 'opened_at' | 'float_cents'>[],
) {
  const first = new Map<string, number>();
  for (const { till_id, float_cents } of shifts.toSorted((a, b) => a.opened_at - b.opened_at))
    if (!first.has(till_id)) first.set(till_id, float_cents);
  return sumOf([...first.values()]);
}

/** Compares the money of the day with what was counted. */
export function reckonDay({ shifts, outside, online }: DayFigures, count: DayCount) {
  const kept = firstFloats(shifts) - count.left_cents;
  const gained = sumOf(shifts.map((shift) => expectedCash(shift) - shift.float_cents));
  const found = sumOf(shifts.map((shift) => shift.counted_cents - shift.float_cents));
  const banked_cents = countDrawer(count.pieces);
  const terminals = shifts.map(({ shift_id, pos }) => {
    const expected_cents = netOf(pos);
    const typed_cents = count.terminals[shift_id] ?? 0;
    return {
      shift_id,
      expected_cents,
      typed_cents,
      difference_cents: typed_cents - expected_cents,
    };
  });
  const pos_cents = sumOf(terminals.map(({ expected_cents }) => expected_cents));
  const cash_cents = sumOf(
    shifts.map(({ cash_sales_cents, cash_refunds_cents }) => cash_sales_cents - cash_refunds_cents),
  );
  const outside_cents = sumOf(outside.map(netOf));
  const online_cents = netOf(online);
  return {
    cash: {
      expected_cents: gained + kept,
      /** As the shifts were counted. */ found_cents: found + kept,
      banked_cents,
      left_cents: count.left_cents,
      difference_cents: banked_cents - gained - kept,
    },
    terminals,
    pos: {
      expected_cents: pos_cents,
      typed_cents: sumOf(terminals.map(({ typed_cents }) => typed_cents)),
      difference_cents: sumOf(terminals.map(({ difference_cents }) => difference_cents)),
    },
    /** What the day took, less what it gave back. */
    takings: {
      cash_cents,
      pos_cents,
      outside_cents,
      online_cents,
      total_cents: cash_cents + pos_cents + outside_cents + online_cents,
    },
  };
}

/** Whether everything is there to the cent, terminal by terminal. */
export function isDayEven({ cash, terminals }: DayReckoning): boolean {
  return cash.difference_cents === 0 && terminals.every((one) => one.difference_cents === 0);
}

/** Refuses bad_request for a terminal of a shift that is not of the day. */
export function requireOwnTerminals(count: DayCount, shift_ids: readonly string[]): void {
  const isOwn = Object.keys(count.terminals).every((id) => shift_ids.includes(id));
  if (!isOwn) throw new Refusal('bad_request', { fields: ['terminals'] });
}

function netOf({ taken_cents, given_cents }: Moved): number {
  return taken_cents - given_cents;
}

function sumOf(cents: readonly number[]): number {
  return cents.reduce((sum, one) => sum + one, 0);
}

/** The found rows and a person's corrections; each step can be undone. */
import { requireValue } from '#server/domain/require-value.ts';
import { useMemo, useState } from 'react';
import { findRows } from '#server/drawing/port/svg/find-rows.ts';
import type { Direction } from '#server/drawing/port/svg/chains.ts';
import { doublesIn, type Found } from '#server/drawing/port/svg/found.ts';
import type { Marks } from '#server/drawing/port/svg/marks.ts';

export interface Review {
  found: Found;
  direction: Direction;
  setDirection: (direction: Direction) => void;
  mend: (mending: (found: Found) => Found) => void;
  undo: (() => void) | null;
  /** The selected row, and its pressed seat. */
  row: string | null;
  seat: number;
  choose: (row: string | null, seat?: number) => void;
  /** Rows that are corrected together. */
  ticked: ReadonlySet<string>;
  tick: (rows: ReadonlySet<string>) => void;
  doubles: ReturnType<typeof doublesIn>;
  colors: readonly string[];
}

export function useReview(marks: Marks): Review {
  const [steps, setSteps] = useState<{ direction: Direction; found: Found }[]>(() => [
    { direction: 'any', found: findRows(marks) },
  ]);
  const [chosen, setChosen] = useState<{ row: string | null; seat: number }>({
    row: null,
    seat: 0,
  });
  const [ticked, tick] = useState<ReadonlySet<string>>(new Set());
  const { found, direction } = requireValue(steps.at(-1), 'step of the review');
  const doubles = useMemo(() => doublesIn(found), [found]);
  const colors = useMemo(
    () => [...new Set(found.rows.flatMap(({ seats }) => seats.map(({ color }) => color)))],
    [found],
  );
  return {
    found,
    direction,
    setDirection: (next) =>
      setSteps([...steps, { direction: next, found: findRows(marks, { direction: next }) }]),
    mend: (mending) => setSteps([...steps, { direction, found: mending(found) }]),
    undo: steps.length > 1 ? () => setSteps(steps.slice(0, -1)) : null,
    ...chosen,
    choose: (row, seat = 0) => setChosen({ row, seat }),
    ticked,
    tick,
    doubles,
    colors,
  };
}

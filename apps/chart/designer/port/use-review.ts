/** The found rows and a person's corrections; each step can be undone. */
import { requireValue } from '#server/domain/require-value.ts';
import { useMemo, useState } from 'react';
import { findRows } from '#server/drawing/port/svg/find-rows.ts';
import type { Direction } from '#server/drawing/port/svg/chains.ts';
import { doublesIn, type Found } from '#server/drawing/port/svg/found.ts';
import type { Marks } from '#server/drawing/port/svg/marks.ts';
import { shapeKinds, usualKinds, type ShapeKind } from '#server/drawing/port/svg/shape-kinds.ts';

export interface Review {
  found: Found;
  direction: Direction;
  setDirection: (direction: Direction) => void;
  /** The kinds of shapes in the picture, and those of them that are seats. */
  kinds: readonly ShapeKind[];
  seatKinds: ReadonlySet<string>;
  /** True if no shape looked like a seat by itself. */
  isUnsure: boolean;
  setSeatKinds: (kinds: ReadonlySet<string>) => void;
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

/** `kinds`: null until a person has said which shapes are the seats. */
interface Step {
  direction: Direction;
  kinds: ReadonlySet<string> | null;
  found: Found;
}

export function useReview(marks: Marks): Review {
  const [steps, setSteps] = useState<Step[]>(() => [
    { direction: 'any', kinds: null, found: findRows(marks) },
  ]);
  const [chosen, setChosen] = useState<{ row: string | null; seat: number }>({
    row: null,
    seat: 0,
  });
  const [ticked, tick] = useState<ReadonlySet<string>>(new Set());
  const { found, direction, kinds } = requireValue(steps.at(-1), 'step of the review');
  const doubles = useMemo(() => doublesIn(found), [found]);
  const colors = useMemo(
    () => [...new Set(found.rows.flatMap(({ seats }) => seats.map(({ color }) => color)))],
    [found],
  );
  const all = useMemo(() => shapeKinds(marks.seats), [marks]);
  const usual = useMemo(() => usualKinds(marks.seats), [marks]);
  const seek = (how: Omit<Step, 'found'>) => {
    const options = { direction: how.direction, ...(how.kinds ? { kinds: how.kinds } : {}) };
    setSteps([...steps, { ...how, found: findRows(marks, options) }]);
  };
  return {
    found,
    direction,
    setDirection: (next) => seek({ direction: next, kinds }),
    kinds: all,
    seatKinds: kinds ?? usual,
    isUnsure: usual.size === 0,
    setSeatKinds: (next) => seek({ direction, kinds: next }),
    mend: (mending) => setSteps([...steps, { direction, kinds, found: mending(found) }]),
    undo: steps.length > 1 ? () => setSteps(steps.slice(0, -1)) : null,
    ...chosen,
    choose: (row, seat = 0) => setChosen({ row, seat }),
    ticked,
    tick,
    doubles,
    colors,
  };
}

/** The live seat map of the office: reports presses and shows what is chosen. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { blockColors, type BlockColor } from '#server/domain/seat/block.ts';
import { seatStates, type SeatState } from '#server/domain/seat/seat-state.ts';
import { speakerOf, togetherOf, type Hall, type OfficeSeat } from './seats.ts';
import { HallChart, type ChartProps, type ObjectColor } from '#apps/admin/kit/hall-chart.tsx';
import { seatStateWords } from '#apps/admin/kit/words.ts';

type Chart = Parameters<NonNullable<ChartProps['onChartRendered']>>[0];
type ObjectLabel = NonNullable<ChartProps['objectLabel']>;

/** The mark of a contingent's seats, for people who do not see its colour. */
const reservedMark = 'R';

/** Made once, because new objects would rebuild the chart; changeConfig() makes the changes. */
const nothingKnown = { colors: {}, marks: {} };
const colors = { colorSelected: '#ffffff' };

// They run inside the vendor's frame and see only their arguments.
const objectColor: ObjectColor = (object, color, extra) =>
  extra.colors[object.label] || extra.free || color;
const objectLabel: ObjectLabel = (object, label, extra) =>
  (object.objectType === 'Seat' && extra.marks[object.label]) || label;

/** The objects to zoom to; a new object zooms again, and null shows the whole hall. */
export interface Sight {
  objects: readonly string[];
}

interface SeatMapChartProps {
  hall: Hall;
  seats: readonly OfficeSeat[];
  chosen: readonly string[];
  /** Objects of the chosen state; all others are dark. */
  marked: readonly string[];
  /** Found objects, which are bright. */
  found: readonly string[];
  sight: Sight | null;
  onPick: (object: string) => void;
  /** Called when the seat map reports a change. */
  onChange: () => void;
}

export function SeatMapChart(props: SeatMapChartProps) {
  const { hall, seats, chosen, marked, found, sight } = props;
  const [drawn, setDrawn] = useState<Chart | null>(null);
  const extraConfig = useMemo(() => paint(seats, chosen, found), [seats, chosen, found]);

  useEffect(() => tryOn(drawn, (to) => to.changeConfig({ extraConfig })), [drawn, extraConfig]);
  useEffect(
    () =>
      tryOn(drawn, (to) =>
        marked.length > 0 ? to.setSpotlightObjects([...marked]) : to.clearSpotlightObjects(),
      ),
    [drawn, marked],
  );
  const isAway = useRef(false);
  useEffect(() => {
    if (sight !== null) tryOn(drawn, (to) => to.zoomToObjects([...sight.objects]));
    else if (isAway.current) tryOn(drawn, (to) => to.resetView());
    isAway.current = sight !== null;
  }, [drawn, sight]);

  return (
    <HallChart
      of={hall}
      advice="Controlla la connessione e riprova. L’elenco qui sotto funziona lo stesso."
      mode="static"
      session="none"
      colors={colors}
      showMinimap
      multiSelectEnabled
      extraConfig={nothingKnown}
      objectColor={objectColor}
      objectLabel={objectLabel}
      onChartRendered={setDrawn}
      onObjectClicked={(object) => props.onPick(object.label)}
      onObjectStatusChanged={props.onChange}
    />
  );
}

/** The colours are defined in the style sheet. */
function styleOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function tokenOf(name: string): string {
  return styleOf(`--seat-${name}`);
}

/** Colours and marks by object. A standing area keeps its colour: its places differ in state. */
function paint(seats: readonly OfficeSeat[], chosen: readonly string[], found: readonly string[]) {
  const tokens = Object.fromEntries(seatStates.map((state) => [state, tokenOf(state)])) as Record<
    SeatState,
    string
  >;
  const byObject: Record<string, string> = {};
  const marks: Record<string, string> = {};
  const blocks = Object.fromEntries(
    blockColors.map((color) => [color, styleOf(`--block-${color}`)]),
  ) as Record<BlockColor, string>;
  for (const together of togetherOf(seats)) {
    const { object, state, isArea, block, contingent } = speakerOf(together);
    if (isArea) continue;
    if (state === 'free') {
      if (contingent === null) continue;
      byObject[object] = blocks[contingent.color];
      marks[object] = reservedMark;
      continue;
    }
    byObject[object] = state === 'blocked' && block ? blocks[block.color] : tokens[state];
    marks[object] = seatStateWords[state].mark;
  }
  for (const object of found) byObject[object] = tokenOf('found');
  for (const object of chosen) byObject[object] = tokenOf('chosen');
  return { colors: byObject, marks, free: tokens.free };
}

/** The chart may be gone or unable to do this: no error. */
function tryOn(chart: Chart | null, act: (chart: Chart) => Promise<unknown>): void {
  if (chart === null) return;
  try {
    act(chart).catch(() => {});
  } catch {
    /* The chart cannot do this. */
  }
}

/** Chooses the tool's behaviour. */
import type { Tool } from '#apps/chart/designer/state/studio.ts';
import type { Desk, Hand } from '#apps/chart/designer/canvas/desk.ts';
import { brushHand } from './brush.ts';
import { makeGrips } from './grips.ts';
import {
  boothHand,
  focalPointHand,
  iconHand,
  imageHand,
  palcoHand,
  rectangularTableHand,
  roundTableHand,
  stageHand,
  textHand,
} from './objects.ts';
import { areaHand, ellipseHand, sectionHand, shapeHand } from './outlines.ts';
import { curvedRowHand, rowBlockHand, rowHand, segmentedRowHand } from './rows.ts';
import { measureHand, scaleHand } from './rule.ts';
import { makeSelect } from './select.ts';

const hands: Partial<Record<Tool, (desk: Desk) => Hand>> = {
  lasso: (desk) => makeSelect(desk, { isLasso: true }),
  row: rowHand,
  'curved-row': curvedRowHand,
  'segmented-row': segmentedRowHand,
  'row-block': rowBlockHand,
  'round-table': roundTableHand,
  'rectangular-table': rectangularTableHand,
  booth: boothHand,
  palco: palcoHand,
  area: areaHand,
  ellipse: ellipseHand,
  section: sectionHand,
  shape: shapeHand,
  stage: stageHand,
  text: textHand,
  icon: iconHand,
  image: imageHand,
  'focal-point': focalPointHand,
  paint: brushHand,
  measure: measureHand,
  scale: scaleHand,
};
/** With these tools a press changes nothing. */
const harmless = new Set<Tool>(['select', 'lasso', 'hand', 'measure']);

export function makeHand(desk: Desk, tool: Tool): Hand {
  const isFree = !desk.studio.state.readOnly || harmless.has(tool);
  const make = isFree ? hands[tool] : undefined;
  return make?.(desk) ?? makeSelect(desk, { handles: makeGrips(desk) });
}

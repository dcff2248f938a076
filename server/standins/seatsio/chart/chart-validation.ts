/** The six checks of a drawing; the company's account says how strict each one is. */
import { settingsFor, VALIDATIONS } from '#server/standins/seatsio/company/accounts.ts';
import { planOf } from '#server/standins/seatsio/catalog/catalog.ts';
import { ApiError } from '#server/standins/seatsio/errors.ts';
import { hasFocalPoint, listObjects } from '#server/standins/seatsio/plan/plan.ts';
import type { Validation } from '#server/standins/seatsio/company/accounts.ts';
import type { ChartRow } from '#server/standins/seatsio/statements/charts.ts';
import type { Seatsio } from '#server/standins/seatsio/context.ts';
import type { Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import type { Drawing } from '#server/standins/seatsio/plan/read-drawing.ts';
import type { PlanObject } from '#server/standins/seatsio/plan/plan.ts';

/** The vendor's label for an object without one. */
const UNLABELED = '?';

function isUnlabeled({ ids }: PlanObject): boolean {
  return [ids.own, ids.parent, ids.section].includes(UNLABELED);
}

/** All that an event can sell under any table mode: each seat of a table, and the table. */
function listBookable(drawing: Drawing): PlanObject[] {
  return [
    ...listObjects(drawing, { mode: 'ALL_BY_SEAT' }),
    ...listObjects(drawing, { mode: 'ALL_BY_TABLE' }).filter(
      ({ objectType }) => objectType === 'table',
    ),
  ];
}

function hasMixedCategory(objects: PlanObject[]): boolean {
  const types = new Map<string, string>();
  return objects.some(({ categoryKey, objectType }) => {
    if (categoryKey === null) return false;
    const first = types.get(categoryKey) ?? objectType;
    types.set(categoryKey, first);
    return first !== objectType;
  });
}

function hasEmptyFloor(drawing: Drawing): boolean {
  return (
    drawing.floors.length > 1 &&
    drawing.floors.some(
      (floor) => listObjects({ ...drawing, floors: [floor] }, { mode: 'INHERIT' }).length === 0,
    )
  );
}

/** The names of the checks that the drawing fails. */
function findFaults(drawing: Drawing): Validation[] {
  const objects = listObjects(drawing, { mode: 'INHERIT' });
  const bookable = listBookable(drawing);
  const labels = bookable.filter(({ ids }) => ids.own !== UNLABELED).map(({ label }) => label);
  const categories = new Set(drawing.categories.map(({ key }) => key));
  const fails: Record<Validation, boolean> = {
    VALIDATE_DUPLICATE_LABELS: new Set(labels).size < labels.length,
    VALIDATE_OBJECTS_WITHOUT_CATEGORIES: objects.some(
      ({ categoryKey }) => categoryKey === null || !categories.has(categoryKey),
    ),
    VALIDATE_UNLABELED_OBJECTS: bookable.some(isUnlabeled),
    VALIDATE_FOCAL_POINT: !hasFocalPoint(drawing),
    VALIDATE_OBJECT_TYPES_PER_CATEGORY: hasMixedCategory(objects),
    VALIDATE_EMPTY_FLOOR: hasEmptyFloor(drawing),
  };
  return VALIDATIONS.filter((name) => fails[name]);
}

interface ChartValidation {
  errors: Validation[];
  warnings: Validation[];
}

export async function validateDrawing(
  ctx: Seatsio,
  workspace: Workspace,
  drawing: Drawing,
): Promise<ChartValidation> {
  const levels = (await settingsFor(ctx, workspace)).chartValidation;
  // Usually all checks are off, and then the drawing is not examined.
  const faults = VALIDATIONS.every((name) => levels[name] === 'OFF') ? [] : findFaults(drawing);
  return {
    errors: faults.filter((name) => levels[name] === 'ERROR'),
    warnings: faults.filter((name) => levels[name] === 'WARNING'),
  };
}

/**
 * As seats.io documents, an invalid chart gets no events, and an invalid draft is not published.
 * @throws ApiError 400 DRAWING_VALIDATION_FAILED; the error and the warning each name their checks
 * in `data.failedValidations`
 */
export async function refuseFaults(
  ctx: Seatsio,
  workspace: Workspace,
  { drawing, refused }: { drawing: Drawing; refused: string },
): Promise<void> {
  const { errors, warnings } = await validateDrawing(ctx, workspace, drawing);
  if (errors.length === 0) return;
  const code = 'DRAWING_VALIDATION_FAILED';
  throw new ApiError(400, code, {
    message: refused,
    data: { failedValidations: errors },
    warnings:
      warnings.length === 0
        ? []
        : [{ code, message: 'Invalid drawing', data: { failedValidations: warnings } }],
  });
}

/** @throws ApiError 400 DRAWING_VALIDATION_FAILED when the published version is invalid */
export async function refuseInvalidChart(
  ctx: Seatsio,
  workspace: Workspace,
  chart: ChartRow,
): Promise<void> {
  const { drawing } = await planOf(
    ctx,
    { id: chart.id, version: chart.published_version },
    { mode: 'INHERIT' },
  );
  await refuseFaults(ctx, workspace, {
    drawing,
    refused: `Failed to create an event on chart [key: ${chart.key}]: invalid drawing`,
  });
}

/** The company's own account: its keys, its settings, and how strictly its charts are checked. */
import { countWorkspaces, type Workspace } from '#server/standins/seatsio/statements/workspaces.ts';
import {
  requireCompany,
  setDesignerKey,
  setSettings,
  type Company,
} from '#server/standins/seatsio/statements/companies.ts';
import * as v from 'valibot';
import { adminKeysOf } from './account-keys.ts';
import { companyRoute } from './callers.ts';
import { HOLD_MINUTES, LIFE_MINUTES } from './hold-period.ts';
import { badRequest } from '#server/standins/seatsio/errors.ts';
import { readJson } from '#server/standins/seatsio/router.ts';
import { makeSecretKey } from './workspaces.ts';
import type { Seatsio, Writing } from '#server/standins/seatsio/context.ts';
import type { Route } from '#server/standins/seatsio/router.ts';

export const VALIDATIONS = [
  'VALIDATE_DUPLICATE_LABELS',
  'VALIDATE_OBJECTS_WITHOUT_CATEGORIES',
  'VALIDATE_UNLABELED_OBJECTS',
  'VALIDATE_FOCAL_POINT',
  'VALIDATE_OBJECT_TYPES_PER_CATEGORY',
  'VALIDATE_EMPTY_FLOOR',
] as const;
export type Validation = (typeof VALIDATIONS)[number];
const LEVELS = ['OFF', 'WARNING', 'ERROR'] as const;
type Level = (typeof LEVELS)[number];

/** Switches of the renderer, shown with the account. */
const RENDERER = [
  'showFullScreenButton',
  'multiSelectEnabled',
  'companionSeatValidationEnabled',
] as const;

/**
 * Only changed settings are stored. `holdPeriodInMinutes` is the duration of hold tokens that are
 * made without one.
 */
interface Settings {
  draftChartDrawingsEnabled?: boolean;
  holdOnSelectForGAs?: boolean;
  holdPeriodInMinutes?: number;
  chartValidation?: Partial<Record<Validation, Level>>;
  defaultRendererSettings?: Partial<Record<(typeof RENDERER)[number], boolean>>;
}

function settingsOf(company: Pick<Company, 'settings'>) {
  const stored = JSON.parse(company.settings) as Settings;
  const levels = VALIDATIONS.map((name): [Validation, Level] => [
    name,
    stored.chartValidation?.[name] ?? 'OFF',
  ]);
  return {
    draftChartDrawingsEnabled: stored.draftChartDrawingsEnabled ?? true,
    holdOnSelectForGAs: stored.holdOnSelectForGAs ?? true,
    holdPeriodInMinutes: stored.holdPeriodInMinutes ?? HOLD_MINUTES,
    chartValidation: Object.fromEntries(levels) as Record<Validation, Level>,
    defaultRendererSettings: Object.fromEntries(
      RENDERER.map((name) => [name, stored.defaultRendererSettings?.[name] ?? false]),
    ),
  };
}

/** The settings that apply to a workspace's charts. */
export async function settingsFor(
  ctx: Seatsio,
  workspace: Workspace,
): Promise<ReturnType<typeof settingsOf>> {
  return settingsOf(await requireCompany(ctx.sql, workspace.company_id));
}

/** Account as the API shows it. */
export async function describeAccount(ctx: Seatsio, company: Company) {
  const numWorkspaces = await countWorkspaces(ctx.sql, company.id);
  return {
    secretKey: company.secret_key,
    secretKeys: await adminKeysOf(ctx, company),
    designerKey: company.designer_key,
    publicKey: company.public_key,
    email: company.email,
    role: 'ADMIN',
    company: { id: company.id, numWorkspaces },
    settings: settingsOf(company),
  };
}

async function change(ctx: Writing, company: Company, more: Settings): Promise<undefined> {
  const stored = JSON.parse(company.settings) as Settings;
  const settings: Settings = {
    ...stored,
    ...more,
    chartValidation: { ...stored.chartValidation, ...more.chartValidation },
    defaultRendererSettings: { ...stored.defaultRendererSettings, ...more.defaultRendererSettings },
  };
  await setSettings(ctx.sql, company.id, settings);
  return undefined;
}

function isOneOf<T extends string>(names: readonly T[], name: string): name is T {
  return names.some((known) => known === name);
}

/** @throws ApiError 400 for an unknown setting or an invalid value */
function readSetting({ key, value }: { key: string; value: string | boolean }): Settings {
  if (isOneOf(VALIDATIONS, key)) {
    if (typeof value !== 'string' || !isOneOf(LEVELS, value))
      throw badRequest(`#/value: one of ${LEVELS.join(', ')} expected, found: ${value}`);
    return { chartValidation: { [key]: value } };
  }
  if (!isOneOf(RENDERER, key) && key !== 'holdOnSelectForGAs')
    throw badRequest(`#/key: unknown setting: ${key}`);
  const text = String(value).toLowerCase();
  if (text !== 'true' && text !== 'false')
    throw badRequest(`#/value: true or false expected, found: ${value}`);
  return key === 'holdOnSelectForGAs'
    ? { holdOnSelectForGAs: text === 'true' }
    : { defaultRendererSettings: { [key]: text === 'true' } };
}

const periodBody = v.object({
  holdPeriodInMinutes: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, 'expected minimum value: 1'),
    v.maxValue(LIFE_MINUTES, `expected maximum value: ${LIFE_MINUTES}`),
  ),
});
const settingBody = v.object({ key: v.string(), value: v.union([v.string(), v.boolean()]) });
const passwordBody = v.object({
  password: v.pipe(v.string(), v.nonEmpty('expected minLength: 1, actual: 0')),
});

export const accountRoutes: Route[] = [
  companyRoute('GET', '/accounts/me', (ctx, _call, company) => describeAccount(ctx, company)),
  /** -> {designerKey} */
  companyRoute(
    'POST',
    '/accounts/me/designer-key/actions/regenerate',
    async (ctx, _call, company) => {
      const designerKey = makeSecretKey();
      await setDesignerKey(ctx.sql, company.id, designerKey);
      return { designerKey };
    },
  ),
  /** With drafts, a change of a chart with events must be published; without, it applies now. */
  companyRoute('POST', '/accounts/me/draft-chart-drawings/actions/enable', (ctx, _call, company) =>
    change(ctx, company, { draftChartDrawingsEnabled: true }),
  ),
  companyRoute('POST', '/accounts/me/draft-chart-drawings/actions/disable', (ctx, _call, company) =>
    change(ctx, company, { draftChartDrawingsEnabled: false }),
  ),
  /** {password}: accepted and ignored, because there is no sign-in here. */
  companyRoute('POST', '/accounts/me/actions/change-password', (_ctx, call) => {
    readJson(call, passwordBody);
    return undefined;
  }),
  /** {holdPeriodInMinutes: 1…120} */
  companyRoute('POST', '/accounts/me/actions/change-hold-period', (ctx, call, company) =>
    change(ctx, company, readJson(call, periodBody)),
  ),
  /** {key, value}: a validation with OFF, WARNING or ERROR; a switch with true or false */
  companyRoute('POST', '/accounts/me/settings', (ctx, call, company) =>
    change(ctx, company, readSetting(readJson(call, settingBody))),
  ),
];

/** The first steps of a new house: their order, and who can do each. */
import { may, type Right } from './rights.ts';
import type { Role } from './user.ts';

const rights = {
  seller: 'change_site',
  mail: 'change_site',
  stripe: 'change_site',
  hall: 'import_charts',
  event: 'edit_events',
  phone: 'change_devices',
  rehearsal: 'change_devices',
} as const satisfies Record<string, Right>;

export type FirstStep = keyof typeof rights;
/** In their order. */
export const firstSteps = Object.keys(rights) as FirstStep[];

export const stepStates = ['done', 'next', 'later'] as const;
export type StepState = (typeof stepStates)[number];

/** The steps that this role can do; none once all of them are done. */
export function stepsFor(
  role: Role,
  done: Record<FirstStep, boolean>,
): { name: FirstStep; state: StepState }[] {
  const own = firstSteps.filter((name) => may(role, rights[name]));
  const next = own.find((name) => !done[name]);
  if (next === undefined) return [];
  return own.map((name) => {
    if (done[name]) return { name, state: 'done' };
    return { name, state: name === next ? 'next' : 'later' };
  });
}

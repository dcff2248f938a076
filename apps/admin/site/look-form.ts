/** The values of the look form as texts, and refusals by field. */
import type { Asked, ReplyOf } from '#server/contract/endpoint.ts';
import type { previewLook, readLook } from '#server/contract/look.ts';
import {
  faultsOfLook,
  lookTexts,
  plainLook,
  spellLook,
  type LookDraft,
  type LookFaults,
  type LookText,
} from '#server/domain/site/look.ts';
import { CallError } from '#apps/shared/api.ts';
import { tellFailure } from '#apps/admin/kit/page/loaded.tsx';

export type StoredLook = ReplyOf<typeof readLook>;
type Typed = LookText | 'accent_light' | 'accent_dark' | 'fee_price_id';
const typed: readonly Typed[] = [...lookTexts, 'accent_light', 'accent_dark', 'fee_price_id'];
export type LookValues = Omit<LookDraft, Typed> & Record<Typed, string>;
/** `form` holds what is about no field. */
export type FormFaults = LookFaults & { form?: string };

export interface LookSection {
  values: LookValues;
  faults: FormFaults;
  set: (change: Partial<LookValues>) => void;
}

export function valuesOfLook(look: StoredLook): LookValues {
  const known = Object.keys(plainLook).map((field) => [
    field,
    look[field as keyof LookDraft] ?? (field === 'logo' ? null : ''),
  ]);
  return Object.fromEntries(known) as LookValues;
}

export function draftOf(values: LookValues): Asked<typeof previewLook>['body'] {
  const texts = typed.map((field) => [field, values[field].trim() === '' ? null : values[field]]);
  return { ...values, ...(Object.fromEntries(texts) as Record<Typed, string | null>) };
}

export function checkLook(values: LookValues): LookFaults {
  return faultsOfLook(spellLook(draftOf(values)));
}

/** The server's refusals by field. */
export function faultsOfLookAnswer(error: unknown): FormFaults {
  const { code, detail } = error instanceof CallError ? error : { code: '', detail: null };
  if (code === 'look_invalid') return (detail as { fields: LookFaults }).fields;
  if (code === 'image_unknown') return { logo: tellFailure(error) };
  if (code === 'price_not_sellable') return { fee_price_id: tellFailure(error) };
  return { form: tellFailure(error) };
}

/** The colour that the fault suggests, if any. */
export function suggestedColour(fault: string | undefined): string | null {
  return /va bene è (#[0-9a-f]{6})\.$/.exec(fault ?? '')?.[1] ?? null;
}

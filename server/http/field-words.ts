/** Italian sentences for wrong fields of a request, for forms that our pages have not checked. */
import type * as v from 'valibot';
import { isMailAddress } from '#server/domain/text/mail-address.ts';

type Issue = v.BaseIssue<unknown>;

const typeWords: Record<string, string> = {
  string: 'un testo',
  number: 'un numero',
  boolean: 'vero o falso',
  array: 'un elenco',
  object: 'un insieme di campi',
};

function countOf({ input, requirement }: Issue): string {
  return `${String(requirement)} ${Array.isArray(input) ? 'voci' : 'caratteri'}`;
}

const tooShort = (issue: Issue) =>
  issue.requirement === 1
    ? 'Non può essere vuoto.'
    : `È troppo corto: servono almeno ${countOf(issue)}.`;
const tooLong = (issue: Issue) => `È troppo lungo: al massimo ${countOf(issue)}.`;

/** Sentences by the name of Valibot's issue; others get the sentence for a wrong field. */
const words: Record<string, (issue: Issue) => string> = {
  min_length: tooShort,
  max_length: tooLong,
  min_code_points: tooShort,
  max_code_points: tooLong,
  min_value: ({ requirement }) => `Deve essere almeno ${String(requirement)}.`,
  max_value: ({ requirement }) => `Deve essere al massimo ${String(requirement)}.`,
  integer: () => 'Deve essere un numero intero.',
  picklist: () => 'Non è uno dei valori previsti.',
  literal: () => 'Non è uno dei valori previsti.',
  variant: () => 'Non è uno dei valori previsti.',
  regex: () => 'Non è scritto nella forma prevista.',
  iso_timestamp: () => 'Non è una data con l’ora, per esempio 2026-12-24T20:00:00Z.',
  iso_date: () => 'Non è un giorno, per esempio 2026-12-24.',
};

export const objectWanted = `Deve essere ${typeWords['object']}.`;

export function sayFault(issue: Issue): string {
  if (issue.received === 'undefined') return 'Manca.';
  if (issue.requirement === isMailAddress) return 'Non è un indirizzo e-mail.';
  const known = words[issue.type];
  if (known) return known(issue);
  const wanted = typeWords[issue.type];
  return wanted === undefined ? 'Non è valido.' : `Deve essere ${wanted}.`;
}

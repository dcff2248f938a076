/**
 * Reads bracketed form fields (`a[0][b]=c`, `a[][b]=c`) and the same tree as JSON. Written by
 * hand, because parsers such as qs silently repair what Stripe refuses: broken encodings and
 * brackets, or a name that is both a value and a group.
 */
import { refuse } from './errors.ts';

type FormValue = string | Form;
/** The tree has no prototype, so that a field may have any name. */
export interface Form {
  [name: string]: FormValue;
}

const MAX_FIELDS = 5000;
const MAX_DEPTH = 8;

export function emptyForm(): Form {
  return Object.create(null) as Form;
}

/**
 * Reads `key=value&…` into a tree.
 * @throws StripeError 400 on an invalid encoding or an invalid name
 */
export function readForm(text: string): Form {
  const form = emptyForm();
  if (text === '') return form;
  const pairs = text.split('&');
  if (pairs.length > MAX_FIELDS)
    throw refuse(`At most ${MAX_FIELDS} fields may be sent in one request.`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at), 'name');
    place(form, pathOf(name), { name, value: decode(at < 0 ? '' : pair.slice(at + 1), name) });
  }
  return form;
}

/**
 * Reads a JSON object into the same tree: numbers and booleans become text, null becomes the
 * empty string that means "unset".
 */
export function readJson(text: string): Form {
  if (text === '') return emptyForm();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse('The body is not valid JSON.');
  }
  const form = formOf(json, 0);
  if (typeof form === 'string') throw refuse('The body must be a JSON object.');
  return form;
}

/** Writes equal trees as equal texts, whatever the order of their fields, to compare them. */
export function canonical(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/** Whether the tree is a list: every key is a number (`a[0]`, `a[]`). */
export function isList(form: object): boolean {
  return Object.keys(form).every((key) => /^\d{1,6}$/.test(key));
}

function decode(text: string, param: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refuse('The request holds an invalid percent-encoding.');
  }
  return storable(decoded, param);
}

/** Refused, because the database cannot store a zero byte or an unpaired surrogate in a text. */
function storable(text: string, param: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    throw refuse('Invalid string: it holds a character that cannot be stored.', {
      param: param.replaceAll('\0', ''),
    });
  return text;
}

function pathOf(name: string): string[] {
  const shape = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!shape)
    throw refuse(`Invalid parameter name: ${name.slice(0, 200)}`, {
      code: 'parameter_unknown',
      param: name.slice(0, 200),
    });
  const [, first = '', brackets = ''] = shape;
  const inner = [...brackets.matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step);
  if (inner.length >= MAX_DEPTH)
    throw refuse('Parameters are nested too deeply.', { param: first });
  return [first, ...inner];
}

function place(form: Form, path: string[], field: { name: string; value: string }): void {
  let at = form;
  path.slice(0, -1).forEach((step, index) => {
    const key = step === '' ? openElement(at, path.slice(index + 1)) : step;
    const next = at[key] ?? emptyForm();
    if (typeof next === 'string')
      throw refuse(`Parameter ${field.name} is given both as a value and as a group.`, {
        param: field.name,
      });
    at[key] = next;
    at = next;
  });
  const last = path.at(-1) ?? '';
  const key = last === '' ? String(Object.keys(at).length) : last;
  if (typeof at[key] === 'object')
    throw refuse(`Parameter ${field.name} is given both as a value and as a group.`, {
      param: field.name,
    });
  at[key] = field.value;
}

/** `a[][b]=1&a[][c]=2&a[][b]=3` has two elements: a repeated field starts a new one. */
function openElement(list: Form, rest: string[]): string {
  const size = Object.keys(list).length;
  const last = String(size - 1);
  let inner = list[last];
  for (const step of rest) {
    if (typeof inner !== 'object') break;
    if (step === '') return last;
    inner = inner[step];
  }
  return inner === undefined && size > 0 ? last : String(size);
}

function formOf(json: unknown, depth: number): FormValue {
  if (depth > MAX_DEPTH) throw refuse('Parameters are nested too deeply.');
  if (json === null) return '';
  if (typeof json !== 'object') return storable(String(json), 'body');
  const form = emptyForm();
  for (const [key, inner] of Object.entries(json))
    form[storable(key, 'body')] = formOf(inner, depth + 1);
  return form;
}

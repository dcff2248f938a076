/**
 * The kinds of parameters of Stripe's calls, as valibot schemas; errors have Stripe's code and
 * the parameter's full name.
 */
import * as v from 'valibot';
import { refuse, type StripeError } from './errors.ts';
import { isList, type Form } from './forms.ts';

export type Rule<T> = v.GenericSchema<unknown, T>;

type Needed<T> = Rule<T> & { type: 'non_optional' };

export type Fields = Record<string, Rule<unknown>>;
export type Read<F extends Fields> = {
  [K in keyof F as F[K] extends Needed<unknown> ? K : never]: v.InferOutput<F[K]>;
} & { [K in keyof F as F[K] extends Needed<unknown> ? never : K]?: v.InferOutput<F[K]> };

/** Reads all parameters of a call; unknown ones are refused. */
export function readParams<F extends Fields>(form: Form, fields: F): Read<F> {
  const result = v.safeParse(group(fields), form, { abortEarly: true });
  if (!result.success) throw refusalOf(result.issues[0]);
  return result.output;
}

/** Fields are optional unless they are `need`ed. */
export function group<F extends Fields>(fields: F): Rule<Read<F>> {
  const entries: v.ObjectEntries = Object.fromEntries(
    Object.entries(fields).map(([key, rule]) => [
      key,
      rule.type === 'non_optional' ? rule : v.optional(rule),
    ]),
  );
  const schema: v.GenericSchema = v.pipe(
    tree(say('Invalid object: {param} must be a group of fields.')),
    // Checked before the fields, because an unknown field must be reported first.
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const foreign = Object.keys(dataset.value).find((key) => !Object.hasOwn(fields, key));
      if (foreign !== undefined) addIssue(unknownIn(dataset.value, foreign));
    }),
    v.object(entries, say('Missing required param: {param}.', 'parameter_missing')),
  );
  return schema as Rule<Read<F>>;
}

/** A group whose fields may have any names. */
export function groupOf<T>(rule: Rule<T>): Rule<Record<string, T>> {
  return v.record(v.string(), rule, say('Invalid object: {param} must be a group of fields.'));
}

export function need<T>(rule: Rule<T>): Needed<T> {
  const schema: v.GenericSchema = v.nonOptional(rule);
  return schema as Needed<T>;
}

/** The empty string means "remove it". */
export function clearable<T>(rule: Rule<T>): Rule<T | null> {
  const nothing = v.pipe(
    v.unknown(),
    v.transform(() => null),
  );
  return v.lazy((given) => (given === '' ? nothing : rule));
}

export function text(
  limits: { max?: number; form?: RegExp; says?: string; code?: string } = {},
): Rule<string> {
  const { max = 5000, form = /^/, says = 'is not in the right form', code } = limits;
  return v.pipe(
    single(),
    v.nonEmpty(
      say(
        "You passed an empty string for '{param}'; leave the parameter out instead.",
        'parameter_invalid_empty',
      ),
    ),
    v.maxLength(max, say(`Invalid string: {param} must be at most ${max} characters.`)),
    v.regex(form, say(`Invalid value: {param} ${says}.`, code)),
  );
}

export function flag(): Rule<boolean> {
  return v.pipe(
    single(),
    v.picklist(['true', 'false'], say('Invalid boolean: {given}')),
    v.transform((given) => given === 'true'),
  );
}

export function integer(limits: { min?: number; max?: number } = {}): Rule<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = limits;
  const bounds = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `between ${min} and ${max}`;
  const outside = say(`Invalid integer: {param} must be ${bounds}.`, 'parameter_invalid_integer');
  return v.pipe(
    single(),
    v.regex(/^-?\d{1,15}$/, say('Invalid integer: {given}', 'parameter_invalid_integer')),
    v.transform(Number),
    v.minValue(min, outside),
    v.maxValue(max, outside),
  );
}

export function oneOf<const T extends string>(values: readonly T[]): Rule<T> {
  return v.pipe(
    single(),
    v.picklist(values, say(`Invalid {param}: must be one of ${values.join(', ')}.`)),
  );
}

export function listOf<T>(rule: Rule<T>, max: number): Rule<T[]> {
  const noList = say('Invalid array: {param} must be a list.');
  return v.pipe(
    tree(noList),
    v.check((list) => isList(list), noList),
    // A list's names are numbers, which an object keeps in ascending order.
    v.transform((list): unknown[] => Object.values(list)),
    v.maxLength(max, say(`Array {param} exceeded the maximum of ${max} elements.`)),
    v.array(rule),
  );
}

/** A web address with its scheme. */
export function webAddress(): Rule<string> {
  return v.pipe(
    text(),
    v.check(
      (given) => /^https?:$/.test(URL.parse(given)?.protocol ?? ''),
      say('Not a valid URL: {param} must begin with http:// or https://.', 'url_invalid'),
    ),
  );
}

export function email(): Rule<string> {
  return text({
    max: 512,
    form: /^[^\s@<>]+@[^\s@<>.]+(\.[^\s@<>.]+)+$/,
    says: 'is not a valid e-mail address',
    code: 'email_invalid',
  });
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

export function currency(): Rule<string> {
  return v.pipe(
    single(),
    v.toLowerCase(),
    v.check((code) => CURRENCIES.has(code), say('Invalid currency: {given}')),
  );
}

/** Stripe's limits: 50 keys, names of 40, values of 500 characters; an empty one is left out. */
export function metadata(): Rule<Record<string, string>> {
  const tooMany = say('{param} can have at most 50 keys.');
  const tooLong = say('Metadata keys can have at most 40 characters: {param}');
  const value = v.pipe(
    single(),
    v.maxLength(500, say('Metadata values can have at most 500 characters: {param}')),
  );
  return v.pipe(
    v.record(v.string(), value, say('Invalid hash: {param} must be a group of keys and values.')),
    v.check((given) => Object.keys(given).length <= 50, tooMany),
    v.check((given) => Object.keys(given).every((key) => key.length <= 40), tooLong),
    v.transform((given) =>
      Object.fromEntries(Object.entries(given).filter(([, each]) => each !== '')),
    ),
  );
}

/**
 * valibot allows one text per rule: the code, a bar and the message, in which `{param}` and
 * `{given}` are replaced.
 */
export function say(message: string, code = ''): string {
  return `${code}|${message}`;
}

function refusalOf(issue: v.BaseIssue<unknown>): StripeError {
  const steps = (issue.path ?? []).map(({ key }) => String(key));
  const param = steps.map((step, index) => (index === 0 ? step : `[${step}]`)).join('');
  const given = typeof issue.input === 'string' ? issue.input.slice(0, 100) : '';
  const facts = { param, given };
  const bar = issue.message.indexOf('|');
  const code = issue.message.slice(0, bar);
  const message = issue.message
    .slice(bar + 1)
    .replaceAll(/\{(param|given)\}/g, (_, name: keyof typeof facts) => facts[name]);
  return refuse(message, { param, ...(code === '' ? {} : { code }) });
}

/** A single value, not a group or a list. */
function single() {
  return v.string(say('Invalid string: {param} must be a single value.'));
}

/** A group or a list: form fields with brackets after their name. */
function tree(message: string) {
  return v.custom<Record<string, unknown>>((given) => typeof given === 'object', message);
}

function unknownIn(
  form: Record<string, unknown>,
  key: string,
): { message: string; path: [v.ObjectPathItem] } {
  return {
    message: say('Received unknown parameter: {param}', 'parameter_unknown'),
    path: [{ type: 'object', origin: 'value', input: form, key, value: form[key] }],
  };
}

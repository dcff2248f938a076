/** Parameter rules: small readers that turn form text into typed values, or refuse with Stripe's code and the parameter's full name. */
import { notBuilt, refuse } from './errors.ts';
import { isList, type Form, type FormValue } from './forms.ts';

export interface Rule<T> {
  read: (value: FormValue, param: string) => T;
  required?: true;
}

export type Fields = Record<string, Rule<unknown>>;
export type Read<F extends Fields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends { required: true } ? never : K]?: ValueOf<F[K]> };
type ValueOf<R> = R extends Rule<infer T> ? T : never;

/** Reads all parameters of a call; whatever the fields do not name is refused. */
export function readParams<F extends Fields>(form: Form, fields: F): Read<F> {
  return group(fields).read(form, '');
}

export function group<F extends Fields>(fields: F): Rule<Read<F>> {
  return {
    read(value, param) {
      if (typeof value === 'string')
        throw refuse(`Invalid object: ${param} must be a group of fields.`, { param });
      for (const key of value.keys()) {
        if (Object.hasOwn(fields, key)) continue;
        const name = within(param, key);
        throw refuse(`Received unknown parameter: ${name}`, {
          code: 'parameter_unknown',
          param: name,
        });
      }
      return Object.fromEntries(
        Object.entries(fields).flatMap(([key, rule]) => {
          const name = within(param, key);
          const given = value.get(key);
          if (given !== undefined) return [[key, rule.read(given, name)]];
          if (rule.required)
            throw refuse(`Missing required param: ${name}.`, {
              code: 'parameter_missing',
              param: name,
            });
          return [];
        }),
      ) as Read<F>;
    },
  };
}

export function need<T>(rule: Rule<T>): Rule<T> & { required: true } {
  return { ...rule, required: true };
}

/** The empty string means "remove it". */
export function clearable<T>(rule: Rule<T>): Rule<T | null> {
  return { read: (value, param) => (value === '' ? null : rule.read(value, param)) };
}

export function text(
  limits: { max?: number; form?: RegExp; says?: string; code?: string } = {},
): Rule<string> {
  const { max = 5000, form, says = 'is not in the right form', code } = limits;
  return {
    read(value, param) {
      const given = scalar(value, param);
      if (given === '')
        throw refuse(
          `You passed an empty string for '${param}'; leave the parameter out instead.`,
          { code: 'parameter_invalid_empty', param },
        );
      if (given.length > max)
        throw refuse(`Invalid string: ${param} must be at most ${max} characters.`, { param });
      if (form && !form.test(given))
        throw refuse(`Invalid value: ${param} ${says}.`, {
          param,
          ...(code === undefined ? {} : { code }),
        });
      return given;
    },
  };
}

export function flag(): Rule<boolean> {
  return {
    read(value, param) {
      const given = scalar(value, param);
      if (given !== 'true' && given !== 'false')
        throw refuse(`Invalid boolean: ${given.slice(0, 100)}`, { param });
      return given === 'true';
    },
  };
}

export function integer(limits: { min?: number; max?: number } = {}): Rule<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = limits;
  return {
    read(value, param) {
      const given = scalar(value, param);
      const number = /^-?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (Number.isNaN(number))
        throw refuse(`Invalid integer: ${given.slice(0, 100)}`, {
          code: 'parameter_invalid_integer',
          param,
        });
      if (number < min || number > max) {
        throw refuse(
          `Invalid integer: ${param} must be ${max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `between ${min} and ${max}`}.`,
          { code: 'parameter_invalid_integer', param },
        );
      }
      return number;
    },
  };
}

export function oneOf<const T extends string>(values: readonly T[]): Rule<T> {
  return {
    read(value, param) {
      const given = scalar(value, param);
      const found = values.find((each) => each === given);
      if (found === undefined)
        throw refuse(`Invalid ${param}: must be one of ${values.join(', ')}.`, { param });
      return found;
    },
  };
}

/** A text out of a long list that nobody wants to read in an answer. */
export function known(isOne: (text: string) => boolean, says: string): Rule<string> {
  return {
    read(value, param) {
      const given = scalar(value, param);
      if (!isOne(given))
        throw refuse(`Invalid ${param}: ${given.slice(0, 100)} ${says}.`, { param });
      return given;
    },
  };
}

export function listOf<T>(rule: Rule<T>, max: number): Rule<T[]> {
  return {
    read(value, param) {
      if (typeof value === 'string' || !isList(value))
        throw refuse(`Invalid array: ${param} must be a list.`, { param });
      if (value.size > max)
        throw refuse(`Array ${param} exceeded the maximum of ${max} elements.`, { param });
      const sorted = [...value].sort(([left], [right]) => Number(left) - Number(right));
      return sorted.map(([, inner], index) => rule.read(inner, `${param}[${index}]`));
    },
  };
}

/** A web address with its scheme. */
export function webAddress(): Rule<string> {
  const inner = text();
  return {
    read(value, param) {
      const given = inner.read(value, param);
      const address = URL.canParse(given) ? new URL(given) : null;
      if (!address || !/^https?:$/.test(address.protocol)) {
        throw refuse(`Not a valid URL: ${param} must begin with http:// or https://.`, {
          code: 'url_invalid',
          param,
        });
      }
      return given;
    },
  };
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
  return {
    read(value, param) {
      const given = scalar(value, param).toLowerCase();
      if (!CURRENCIES.has(given))
        throw refuse(`Invalid currency: ${given.slice(0, 20)}`, { param });
      return given;
    },
  };
}

/** A change of metadata: '' removes a key, null removes all. Limits as documented: 50 keys, 40-character names, 500-character values. */
export type MetadataPatch = Record<string, string> | null;

export function metadata(): Rule<MetadataPatch> {
  return {
    read(value, param) {
      if (value === '') return null;
      if (typeof value === 'string')
        throw refuse(`Invalid hash: ${param} must be a group of keys and values.`, { param });
      if (value.size > 50) throw refuse(`${param} can have at most 50 keys.`, { param });
      return Object.fromEntries(
        [...value].map(([key, inner]) => {
          const name = within(param, key);
          if (key.length > 40)
            throw refuse(`Metadata keys can have at most 40 characters: ${name.slice(0, 200)}`, {
              param,
            });
          const given = scalar(inner, name);
          if (given.length > 500)
            throw refuse(`Metadata values can have at most 500 characters: ${name}`, {
              param: name,
            });
          return [key, given];
        }),
      );
    },
  };
}

export function patched(
  before: Record<string, string>,
  patch: MetadataPatch | undefined,
): Record<string, string> {
  if (patch === undefined) return before;
  if (patch === null) return {};
  const after = Object.fromEntries(
    Object.entries({ ...before, ...patch }).filter(([, value]) => value !== ''),
  );
  if (Object.keys(after).length > 50)
    throw refuse('metadata can have at most 50 keys.', { param: 'metadata' });
  return after;
}

/** Known to Stripe and not built here: refused aloud, because ignoring it would make somebody's test lie. */
export function unbuilt(): Rule<never> {
  return {
    read(_value, param) {
      throw notBuilt(`the parameter ${param}`, param);
    },
  };
}

/** A feature that may be named as long as it is switched off. */
export function onlyOff(): Rule<{ enabled: false }> {
  const inner = flag();
  return {
    read(value, param) {
      const enabled = typeof value === 'string' ? undefined : value.get('enabled');
      if (enabled === undefined || inner.read(enabled, `${param}[enabled]`))
        throw notBuilt(`the parameter ${param} switched on`, param);
      return { enabled: false };
    },
  };
}

function scalar(value: FormValue, param: string): string {
  if (typeof value !== 'string')
    throw refuse(`Invalid string: ${param} must be a single value.`, { param });
  return value;
}

function within(param: string, key: string): string {
  return param === '' ? key : `${param}[${key}]`;
}

/** What the served OpenAPI document says, as far as a stranger's client needs it. */
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import { ask } from '#tests/support/make.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  allOf?: Schema[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

type Content = Record<string, { schema: Schema }>;

export interface Operation {
  operationId: string;
  method: string;
  path: string;
  /** Who may call it: `public`, `phone`, or a right. */
  tags: string[];
  parameters: { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

/** Every call that the server describes. */
export async function readDocument(server: { url: string }): Promise<Operation[]> {
  const { body } = await ask(server, 'GET', '/api/openapi.json');
  return operationsOf(body as object);
}

/** Every call of a document, with its schemas in place of their names. */
export function operationsOf(document: object): Operation[] {
  const { paths } = linked(document, document) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Without references; null is written as `nullable`, and the one word of a `const` as a list. */
function linked(part: unknown, document: object, known = new Map<string, unknown>()): unknown {
  const inside = (value: unknown) => linked(value, document, known);
  if (Array.isArray(part)) return part.map(inside);
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...rest } = part as Schema;
  if (typeof $ref === 'string') {
    const steps = $ref.split('/').slice(1);
    const target = steps.reduce<unknown>((at, step) => (at as Schema)[step as 'items'], document);
    if (!known.has($ref)) known.set($ref, inside(target));
    return { ...(known.get($ref) as object), ...rest };
  }
  const told = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'examples' ? value : inside(value)]),
  );
  return typeof rest.enum === 'object' || rest.type || rest.anyOf || 'const' in rest
    ? asNullable(told as Schema & { const?: unknown })
    : told;
}

function asNullable({ const: only, ...schema }: Schema & { const?: unknown }): Schema {
  if (only !== undefined) return { ...schema, enum: [only] };
  const { type, anyOf } = schema as { type?: unknown; anyOf?: Schema[] };
  if (Array.isArray(type)) return { ...schema, type: String(type[0]), nullable: true };
  const choices = anyOf?.filter((choice) => (choice.type as unknown) !== 'null');
  if (!anyOf || choices?.length !== 1) return schema;
  return { ...choices[0], nullable: true };
}

/** What of a value is not as the schema says: a path with a word; null if all is well. */
export function misfit(value: unknown, schema: Schema, at = '$'): string | null {
  if (value === null && schema.nullable) return null;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return choices.some((choice) => misfit(value, choice, at) === null)
      ? null
      : `${at} is none of ${choices.length}`;
  if (value === null) return schema.enum?.includes(null) || isOpen(schema) ? null : `${at} is null`;
  if (schema.enum && !schema.enum.includes(value)) return `${at} is not in the list`;
  if (schema.not?.enum?.includes(value)) return `${at} is left out`;
  const all = schema.allOf?.map((part) => misfit(value, part, at)).find((word) => word !== null);
  return all ?? misfitOfType(value, schema, at);
}

function isOpen(schema: Schema): boolean {
  return schema.type === undefined && schema.properties === undefined;
}

function misfitOfType(value: unknown, schema: Schema, at: string): string | null {
  const type = typeOf(value);
  const wanted = schema.type;
  if (wanted !== undefined && wanted !== type && !(wanted === 'number' && type === 'integer'))
    return `${at} is ${type}, not ${wanted}`;
  const { minItems = 0, maxItems = Infinity } = schema;
  if (Array.isArray(value) && (value.length < minItems || value.length > maxItems))
    return `${at} has ${value.length} items`;
  if (Array.isArray(value))
    return firstOf(value.map((item, nth) => misfit(item, schema.items ?? {}, `${at}[${nth}]`)));
  if (typeof value === 'string') return misfitOfText(value, schema, at);
  if (typeof value === 'number') return misfitOfNumber(value, schema, at);
  return type === 'object' ? misfitOfObject(value as Record<string, unknown>, schema, at) : null;
}

/** Lengths are counted in characters, not in UTF-16 units. */
function misfitOfText(
  value: string,
  { minLength = 0, maxLength = Infinity, pattern, format }: Schema,
  at: string,
): string | null {
  const { length } = [...value];
  if (length < minLength || length > maxLength) return `${at} has ${length} characters`;
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    return `${at} has another form`;
  return isOfFormat(value, format) ? null : `${at} is no ${format}`;
}

function isOfFormat(value: string, format?: string): boolean {
  if (format === 'uuid') return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
  if (format === 'idn-email') return isMailAddress(value.trim());
  if (format !== 'date' && format !== 'date-time') return true;
  const day = value.slice(0, 10);
  const ms = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
  const rest = /^[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;
  return isDay && (format === 'date' ? value === day : rest.test(value.slice(10)));
}

function misfitOfNumber(
  value: number,
  { minimum = -Infinity, maximum = Infinity }: Schema,
  at: string,
): string | null {
  return value >= minimum && value <= maximum ? null : `${at} is out of bounds`;
}

function misfitOfObject(
  value: Record<string, unknown>,
  { properties = {}, required = [], additionalProperties }: Schema,
  at: string,
): string | null {
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  const isOpen = additionalProperties !== undefined || Object.keys(properties).length === 0;
  const unnamed = Object.keys(value).find((name) => !isOpen && !(name in properties));
  if (unnamed !== undefined) return `${at}.${unnamed} is not in the document`;
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  return firstOf(
    Object.entries(value).map(([name, part]) =>
      misfit(part, properties[name] ?? rest, `${at}.${name}`),
    ),
  );
}

function firstOf(words: (string | null)[]): string | null {
  return words.find((word) => word !== null) ?? null;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

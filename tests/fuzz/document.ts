/** What the served OpenAPI document says, as far as a stranger's client needs it. */
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
  const { paths } = body as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** What of a value is not as the schema says: a path with a word; null if all is well. */
export function misfit(value: unknown, schema: Schema, at = '$'): string | null {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return choices.some((choice) => misfit(value, choice, at) === null)
      ? null
      : `${at} is none of ${choices.length}`;
  if (value === null)
    return schema.nullable || schema.enum?.includes(null) || isOpen(schema)
      ? null
      : `${at} is null`;
  if (schema.enum && !schema.enum.includes(value)) return `${at} is not in the list`;
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
  if (Array.isArray(value))
    return firstOf(value.map((item, nth) => misfit(item, schema.items ?? {}, `${at}[${nth}]`)));
  return type === 'object' ? misfitOfObject(value as Record<string, unknown>, schema, at) : null;
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

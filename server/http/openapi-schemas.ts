/** The schemas of the contract as named components of the OpenAPI document. */
import {
  toJsonSchema,
  toJsonSchemaDefs,
  type ConversionConfig,
  type JsonSchema,
} from '@valibot/to-json-schema';
import { isStorable, type EndpointShape } from '#server/contract/endpoint.ts';
import { publishedNames } from '#server/contract/published-names.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import type { GenericSchema } from 'valibot';
import { exampleOf } from './openapi-examples.ts';

type Mode = 'input' | 'output';
type Definitions = Parameters<typeof toJsonSchemaDefs>[0];

/** The parts of a Valibot schema that the document shows. */
interface Parts {
  type: string;
  entries?: Record<string, GenericSchema>;
  wrapped?: GenericSchema;
  item?: GenericSchema;
  options?: readonly unknown[];
  key?: string;
  literal?: string;
  pipe?: readonly { kind: string; type: string }[];
}

const partsOf = (schema: GenericSchema) => schema as unknown as Parts;
/** Makes a type's name from the name of a field or an endpoint. */
export const pascal = (name: string) =>
  name.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
const singular = (name: string) => name.replace(/ies$/, 'y').replace(/(ss)es$|([^su])s$/, '$1$2');

/** The names of `published-names.ts`, by schema, and by the words of an enumeration. */
function readNames(endpoints: Record<string, EndpointShape>) {
  const schemas = new Map<GenericSchema, string>();
  const lists = new Map<string, string>();
  for (const [name, address] of Object.entries(publishedNames)) {
    const schema = schemaAt(endpoints, address);
    const { type, options } = partsOf(schema);
    if (type === 'picklist') lists.set(JSON.stringify(options), name);
    else schemas.set(schema, name);
  }
  return { schemas, lists };
}

/** @throws Error if the contract has nothing at the address. */
function schemaAt(endpoints: Record<string, EndpointShape>, address: string): GenericSchema {
  const [endpoint, part, ...fields] = address.split('.');
  const whole = endpoints[endpoint!]?.[part as 'reply'];
  return fields.reduce<GenericSchema>(
    (schema, field) => {
      const below = partsOf(schema).entries?.[field];
      if (below === undefined) throw new Error(`published-names.ts: nothing at ${address}`);
      return unwrapped(below).schema;
    },
    unwrapped(whole ?? fail(address)).schema,
  );
}

function fail(address: string): never {
  throw new Error(`published-names.ts: nothing at ${address}`);
}

/** The schema without its wrappers for optional, nullable and lists. */
function unwrapped(schema: GenericSchema): { schema: GenericSchema; isList: boolean } {
  const { wrapped, item } = partsOf(schema);
  const inner = wrapped ?? item;
  if (inner === undefined) return { schema, isList: false };
  const { schema: below, isList } = unwrapped(inner);
  return { schema: below, isList: isList || item !== undefined };
}

export class Components {
  readonly #names: ReturnType<typeof readNames>;
  readonly #given = new Map<GenericSchema, string>();
  /** Bodies and replies, which have an example. */
  readonly #shown = new Set<string>();
  /** The enumerations that have names, with their values. */
  readonly #lists = new Map<string, string[]>();
  readonly #found: Record<Mode, Record<string, GenericSchema>> = { input: {}, output: {} };

  /** `all`: every endpoint of the contract, in which the published names are looked up. */
  constructor(all: Record<string, EndpointShape>) {
    this.#names = readNames(all);
  }

  /** Names a body or a reply, and every object in it. */
  refTo(schema: GenericSchema, auto: string, mode: Mode): object {
    const name = this.#names.schemas.get(schema) ?? auto;
    this.#collect(schema, auto, mode);
    this.#found[mode][name] ??= schema;
    this.#shown.add(name);
    return refOf(name);
  }

  #collect(whole: GenericSchema, auto: string, mode: Mode): void {
    const { schema, isList } = unwrapped(whole);
    const { type, entries = {}, options = [], key } = partsOf(schema);
    if (type === 'variant' || type === 'union')
      for (const option of options as GenericSchema[]) {
        const word = key && partsOf(partsOf(option).entries![key]!).literal;
        const known = this.#names.schemas.get(schema) ?? (isList ? singular(auto) : auto);
        if (word) this.#collect(option, known + pascal(word), mode);
      }
    if (!partsOf(schema).entries) return;
    const name = this.#nameOf(schema, isList ? singular(auto) : auto);
    if (this.#found[mode][name] === schema) return;
    if (this.#found[mode][name]) throw new Error(`two schemas are called ${name}`);
    this.#found[mode][name] = schema;
    for (const [field, part] of Object.entries(entries))
      this.#collect(part, name.replace(/Reply$/, '') + pascal(field), mode);
  }

  /** @throws Error if two places share a schema and `published-names.ts` has no name for it. */
  #nameOf(schema: GenericSchema, auto: string): string {
    const name = this.#names.schemas.get(schema) ?? this.#given.get(schema) ?? auto;
    if (!this.#names.schemas.has(schema) && name !== auto)
      throw new Error(`${name} and ${auto} are one schema: name it in published-names.ts`);
    this.#given.set(schema, name);
    return name;
  }

  /** All named schemas. @throws Error if one name stands for two different schemas */
  schemas(): Record<string, JsonSchema> {
    const made: Record<string, JsonSchema> = {};
    for (const mode of ['output', 'input'] as const)
      for (const [name, schema] of Object.entries(
        toJsonSchemaDefs(this.#found[mode] as Definitions, this.#settings(mode)),
      )) {
        if (made[name] && JSON.stringify(made[name]) !== JSON.stringify(schema))
          throw new Error(`${name} differs between asking and answering`);
        made[name] = schema;
      }
    for (const [name, words] of this.#lists) made[name] = { type: 'string', enum: words };
    for (const name of this.#shown) {
      const examples = [exampleOf(refOf(name), made)];
      made[name] = { ...made[name]!, examples } as JsonSchema;
    }
    return made;
  }

  /**
   * A value in a query or a form; numbers and booleans arrive as text and are described as such.
   */
  field(schema: GenericSchema): JsonSchema {
    const { pipe = [] } = partsOf(unwrapped(schema).schema);
    const last = pipe.findLast(({ kind }) => kind === 'schema')?.type;
    const isTime = pipe.some(({ type }) => type === 'iso_timestamp');
    const isRead = !isTime && (last === 'number' || last === 'boolean');
    const { $schema: _, ...rest } = toJsonSchema(
      schema as Definitions[string],
      this.#settings(isRead ? 'output' : 'input'),
    );
    return rest;
  }

  #settings(typeMode: Mode): ConversionConfig {
    return {
      typeMode,
      errorMode: 'ignore',
      target: 'draft-2020-12',
      overrideRef: ({ referenceId }) => refOf(referenceId).$ref,
      overrideAction: ({ valibotAction, jsonSchema }) => withAction(valibotAction, jsonSchema),
      overrideSchema: ({ valibotSchema, jsonSchema }) => {
        const { type, options, key } = partsOf(valibotSchema as GenericSchema);
        const list = type === 'picklist' && this.#names.lists.get(JSON.stringify(options));
        if (list) {
          this.#lists.set(list, options as string[]);
          return refOf(list);
        }
        if (type === 'variant') return { ...jsonSchema, discriminator: { propertyName: key } };
        return shortened(jsonSchema);
      },
    };
  }
}

function refOf(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const withoutNul = '^[^\\x00]*$';

/** Adds what the converter cannot know of a Valibot action. */
function withAction(
  { type, requirement }: { type: string; requirement?: unknown },
  schema: JsonSchema,
): JsonSchema | undefined {
  if (requirement === isMailAddress) return { ...schema, format: 'idn-email' };
  if (requirement === isStorable) return { pattern: withoutNul, ...schema };
  if (type === 'regex') return { ...schema, pattern: (requirement as RegExp).source };
  if (type === 'min_code_points' && requirement !== 0)
    return { ...schema, minLength: requirement as number };
  return type === 'max_code_points' ? { ...schema, maxLength: requirement as number } : undefined;
}

/** Leaves out redundant keywords, and writes null as one of the types. */
function shortened({ required = [], propertyNames, ...schema }: JsonSchema): JsonSchema {
  const [only, none] = schema.anyOf ?? [];
  if (typeof only === 'object' && isNull(none) && typeof only.type === 'string')
    return {
      ...only,
      type: [only.type, 'null'],
      ...(only.enum && { enum: [...only.enum, null] }),
    } as JsonSchema;
  const isPlain = JSON.stringify(propertyNames) === '{"type":"string"}';
  if (propertyNames && !isPlain) Object.assign(schema, { propertyNames });
  return required.length > 0 ? { ...schema, required } : schema;
}

function isNull(schema?: JsonSchema | boolean): boolean {
  return typeof schema === 'object' && schema.type === 'null';
}

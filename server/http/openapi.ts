/** The OpenAPI document, made from the endpoint constants, so that it matches what is served. */
import { STATUS_CODES } from 'node:http';
import type { GenericSchema } from 'valibot';
import { endpoints } from '#server/contract/all.ts';
import { isProgramCaller, longestParam, type EndpointShape } from '#server/contract/endpoint.ts';
import { errorReply, errors } from '#server/contract/errors.ts';
import type { RefusalCode } from '#server/domain/refusal.ts';
import { Components, pascal } from './openapi-schemas.ts';
import { cookieName } from './session.ts';

/** The refusals of all endpoints of one kind; an operation names only its own beside them. */
const common: readonly RefusalCode[] = [
  'bad_request',
  'too_many_requests',
  'not_logged_in',
  'not_allowed',
  'token_refused',
  'scope_missing',
];

function operationOf(name: string, endpoint: EndpointShape, components: Components) {
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    tags: [endpoint.who],
    security: securityOf(endpoint.who),
    parameters: parametersOf(endpoint, components),
    ...requestBodyOf(name, endpoint, components),
    responses: {
      ...successOf(name, endpoint, components),
      ...(isProgramCaller(endpoint.who) && { 304: { description: 'As by If-None-Match' } }),
      ...refusalsOf(endpoint),
      default: { $ref: '#/components/responses/Refused' },
    } as Record<string, object>,
  };
}

/** The statuses of the operation's own refusals; `default` is every other one. */
function refusalsOf({ who, sensitive, path, refusals = [] }: EndpointShape): object {
  const codes: readonly RefusalCode[] = [
    ...(sensitive ? (['confirm_again'] as const) : []),
    ...refusals,
    ...(who === 'public' && path.includes(':orderId') ? (['link_replaced'] as const) : []),
  ];
  return Object.fromEntries(
    [...Map.groupBy(codes, (code) => errors[code].status)].map(([status, list]) => [
      status,
      { $ref: `#/components/responses/${wordOf(status)}`, description: list.join(', ') },
    ]),
  );
}

/** `NotFound` of 404. */
function wordOf(status: number): string {
  return STATUS_CODES[status]!.replace(/\W/g, '');
}

/** The answers that operations share: one for each status of a refusal, and one for the rest. */
function sharedResponses(): object {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const byStatus = Map.groupBy(common, (code) => errors[code].status);
  const statuses = [...new Set(Object.values(errors).map(({ status }) => status))].toSorted();
  return {
    ...Object.fromEntries(
      statuses.map((status) => [
        wordOf(status),
        { description: byStatus.get(status)?.join(', ') ?? STATUS_CODES[status]!, content },
      ]),
    ),
    Refused: { description: 'Any other refusal', content },
  };
}

function securityOf(who: EndpointShape['who']): object[] {
  if (who === 'public') return [];
  if (isProgramCaller(who)) return [{ program: [] }];
  return who === 'phone' ? [{ device: [] }] : [{ session: [] }];
}

function parametersOf({ path, query, ...endpoint }: EndpointShape, components: Components) {
  const entries = (query as { entries?: Record<string, GenericSchema> } | undefined)?.entries ?? {};
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name: name!,
      in: 'path',
      required: true,
      schema: {
        type: 'string',
        minLength: 1,
        maxLength: endpoint.longestParam ?? longestParam,
        pattern: '^[^\\x00-\\x1f\\x7f]*$',
      },
    })),
    ...Object.entries(entries).map(([name, schema]) => ({
      name,
      in: 'query',
      ...(schema.type !== 'optional' && { required: true }),
      schema: components.field(schema),
    })),
  ];
}

function requestBodyOf(name: string, { body, form }: EndpointShape, components: Components) {
  if (body) {
    const schema = components.refTo(body, `${pascal(name)}Body`, 'input');
    return { requestBody: bodyOf('application/json', schema) };
  }
  return form ? { requestBody: bodyOf('multipart/form-data', formOf(form, components)) } : {};
}

function bodyOf(type: string, schema: object): object {
  return { required: true, content: { [type]: { schema } } };
}

function content(type: string, schema: object, description = 'OK'): object {
  return { description, content: { [type]: { schema } } };
}

/** The fields of a form, and its file. */
function formOf(form: GenericSchema, components: Components): object {
  const { entries } = form as unknown as { entries: Record<string, GenericSchema> };
  const fields = Object.entries(entries);
  const required = fields.filter(([, { type }]) => type !== 'optional').map(([name]) => name);
  return {
    type: 'object',
    properties: {
      file: { type: 'string', format: 'binary' },
      ...Object.fromEntries(fields.map(([name, schema]) => [name, components.field(schema)])),
    },
    required: ['file', ...required],
  };
}

function successOf(name: string, endpoint: EndpointShape, components: Components): object {
  const { reply, accepted, stream } = endpoint;
  const bytes = endpoint.file ?? endpoint.gzipped;
  const words = 'Server-sent events: each `data:` line is one of these';
  const schemaOf = (schema: GenericSchema, part: string) =>
    components.refTo(schema, `${pascal(name)}${part}`, 'output');
  if (stream) return { 200: content('text/event-stream', schemaOf(stream, 'Event'), words) };
  if (accepted) return { 202: { description: 'Accepted' } };
  if (bytes) return { 200: content(bytes, { type: 'string', format: 'binary' }) };
  return reply
    ? { 200: content('application/json', schemaOf(reply, 'Reply')) }
    : { 204: { description: 'Done' } };
}

type Operation = ReturnType<typeof operationOf>;

/** The document of the wanted endpoints. */
export function openApi(
  publicUrl: string,
  isWanted: (endpoint: EndpointShape) => boolean = () => true,
): object {
  const paths: Record<string, Record<string, Operation>> = {};
  const components = new Components(endpoints);
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (!isWanted(endpoint)) continue;
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const methods = (paths[path] ??= {});
    const method = endpoint.method.toLowerCase();
    const operation = operationOf(name, endpoint, components);
    methods[method] = operation;
  }
  components.refTo(errorReply, 'Error', 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Botteghino',
      version: '1',
      description:
        'Amounts are integer cents of euro, times are ISO 8601 in UTC. Errors are Italian and fit to be shown. A later release may add fields and words to answers.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: components.schemas(),
      responses: sharedResponses(),
      parameters: shareParameters(paths),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookieName({ publicUrl }, 'sid') },
        device: { type: 'http', scheme: 'bearer' },
        program: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

/** Replaces each parameter that several operations have alike by a reference, and returns those. */
function shareParameters(paths: Record<string, Record<string, Operation>>): object {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const uses = Map.groupBy(
    operations.flatMap(({ parameters }) => parameters),
    (parameter) => JSON.stringify(parameter),
  );
  const shared = new Map<string, Operation['parameters'][number]>();
  const refs = new Map<string, object>();
  for (const [text, [parameter, second]] of uses) {
    const { name, schema } = parameter!;
    // Lists have pages of 100 or of 200 rows at most.
    const key = `${pascal(name)}${name === 'limit' ? (schema as { maximum: number }).maximum : ''}`;
    if (!second || shared.has(key)) continue;
    shared.set(key, parameter!);
    refs.set(text, { $ref: `#/components/parameters/${key}` });
  }
  for (const operation of operations)
    operation.parameters = operation.parameters.map(
      (parameter) => refs.get(JSON.stringify(parameter)) ?? parameter,
    ) as Operation['parameters'];
  return Object.fromEntries(shared);
}

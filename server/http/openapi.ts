/** The OpenAPI document, made from the endpoint constants, so that it matches what is served. */
import { gzipSync } from 'node:zlib';
import type { Router } from '@koa/router';
import { toJsonSchema, type JsonSchema } from '@valibot/to-json-schema';
import { endpoints } from '#server/contract/all.ts';
import { isProgramCaller, type EndpointShape } from '#server/contract/endpoint.ts';
import { errorReply, errors } from '#server/contract/errors.ts';
import type { RefusalCode } from '#server/domain/refusal.ts';
import { isMailAddress } from '#server/domain/text/mail-address.ts';
import type { GenericSchema } from 'valibot';
import { digestOf, hasAlready } from './tagged.ts';

function schemaOf(schema: GenericSchema, typeMode: 'input' | 'output') {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'ignore',
    target: 'openapi-3.0',
    overrideSchema: ({ jsonSchema }) => inItsForm(jsonSchema),
    overrideAction: ({ valibotAction, jsonSchema }) =>
      'requirement' in valibotAction && valibotAction.requirement === isMailAddress
        ? { ...jsonSchema, format: 'idn-email' }
        : undefined,
  });
  return rest;
}

/**
 * Adapts a schema to OpenAPI 3.0: removes an empty `required`, and adds null to the values and to
 * each choice.
 */
function inItsForm({ required = [], ...schema }: JsonSchema): JsonSchema {
  if (schema.nullable && schema.enum) schema.enum = [...schema.enum, null];
  if (schema.nullable && schema.anyOf)
    schema.anyOf = schema.anyOf.map((choice) =>
      typeof choice === 'boolean' ? choice : { ...choice, nullable: true },
    );
  return required.length > 0 ? { ...schema, required } : schema;
}

function operationOf(name: string, endpoint: EndpointShape) {
  const codes: readonly RefusalCode[] = [
    'bad_request',
    'too_many_requests',
    ...refusedTo(endpoint.who),
    ...(endpoint.sensitive ? (['confirm_again'] as const) : []),
    ...(endpoint.refusals ?? []),
    ...(endpoint.who === 'public' && endpoint.path.includes(':orderId')
      ? (['link_replaced'] as const)
      : []),
  ];
  const refused = [...Map.groupBy(codes, (code) => errors[code].status)].map(([status, list]) => [
    status,
    errorContent(list.join(', ')),
  ]);
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    tags: [endpoint.who],
    security: securityOf(endpoint.who),
    parameters: parametersOf(endpoint),
    ...requestBodyOf(endpoint),
    responses: {
      ...successOf(endpoint),
      ...Object.fromEntries(refused),
      default: errorContent('Any other refusal'),
    } as Record<string, object>,
  };
}

/** The refusals for a caller who may not call the endpoint. */
function refusedTo(who: EndpointShape['who']): RefusalCode[] {
  if (who === 'public') return [];
  return isProgramCaller(who)
    ? ['token_refused', 'scope_missing']
    : ['not_logged_in', 'not_allowed'];
}

function securityOf(who: EndpointShape['who']): object[] {
  if (who === 'public') return [];
  if (isProgramCaller(who)) return [{ program: [] }];
  return who === 'phone' ? [{ device: [] }] : [{ session: [] }];
}

function parametersOf({ path, query }: EndpointShape): object[] {
  const { properties = {}, required }: { properties?: object; required?: string[] } = query
    ? schemaOf(query, 'input')
    : {};
  return [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(properties).map(([name, schema]: [string, object]) => ({
      name,
      in: 'query',
      required: required?.includes(name) ?? false,
      schema,
    })),
  ];
}

function requestBodyOf({ body, form }: EndpointShape): object {
  if (body) return { requestBody: bodyOf('application/json', schemaOf(body, 'input')) };
  return form ? { requestBody: bodyOf('multipart/form-data', formOf(form)) } : {};
}

function bodyOf(type: string, schema: object): object {
  return { required: true, content: { [type]: { schema } } };
}

function content(type: string, schema: object, description = 'OK'): object {
  return { description, content: { [type]: { schema } } };
}

function errorContent(description: string): object {
  return content('application/json', { $ref: '#/components/schemas/Error' }, description);
}

/** The fields of a form, and its file. */
function formOf(form: GenericSchema): object {
  const { properties, required = [] } = schemaOf(form, 'input') as {
    properties?: object;
    required?: string[];
  };
  return {
    type: 'object',
    properties: { file: { type: 'string', format: 'binary' }, ...properties },
    required: ['file', ...required],
  };
}

function successOf({ reply, file, gzipped, accepted, stream }: EndpointShape): object {
  const bytes = file ?? gzipped;
  const words = 'Server-sent events: each `data:` line is one of these';
  if (stream) return { 200: content('text/event-stream', schemaOf(stream, 'output'), words) };
  if (accepted) return { 202: { description: 'Accepted' } };
  if (bytes) return { 200: content(bytes, { type: 'string', format: 'binary' }) };
  return reply
    ? { 200: content('application/json', schemaOf(reply, 'output')) }
    : { 204: { description: 'Done' } };
}

type Operation = ReturnType<typeof operationOf>;

/** Both documents are made at their first request, so that no start waits for them. */
export function serveOpenApi(router: Router, publicUrl: string): void {
  serveDocument(router, '/api/openapi.json', () => openApi(publicUrl, () => true));
  // The second document has only the endpoints for other programs.
  serveDocument(router, '/api/v1/openapi.json', () =>
    openApi(publicUrl, ({ who }) => isProgramCaller(who)),
  );
}

function serveDocument(router: Router, path: string, document: () => object): void {
  let made: { plain: Buffer; packed: Buffer; etag: string } | null = null;
  const make = () => {
    const plain = Buffer.from(JSON.stringify(document()));
    const etag = `W/"${digestOf(plain)}"`;
    return { plain, packed: gzipSync(plain), etag };
  };
  router.get(path, (http) => {
    http.type = 'application/json';
    http.vary('Accept-Encoding');
    const takesGzip = http.acceptsEncodings('gzip') !== false;
    http['compress'] = false;
    if (takesGzip) http.set('Content-Encoding', 'gzip');
    made ??= make();
    http.set('Cache-Control', 'no-cache');
    http.set('ETag', made.etag);
    if (hasAlready(http.get('if-none-match'), made.etag)) {
      http.status = 304;
      return;
    }
    http.body = takesGzip ? made.packed : made.plain;
  });
}

function openApi(publicUrl: string, isWanted: (endpoint: EndpointShape) => boolean): object {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (!isWanted(endpoint)) continue;
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const methods = (paths[path] ??= {});
    const method = endpoint.method.toLowerCase();
    const operation = operationOf(name, endpoint);
    methods[method] = operation;
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Botteghino',
      version: '1',
      description:
        'Amounts are integer cents of euro, times are ISO 8601 in UTC. Errors are Italian and fit to be shown.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Error: schemaOf(errorReply, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        device: { type: 'http', scheme: 'bearer' },
        program: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

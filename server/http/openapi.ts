/** The OpenAPI document, made from the endpoint constants: what is served and what is described cannot differ. */
import { toJsonSchema } from '@valibot/to-json-schema';
import { endpoints } from '#server/contract/all.ts';
import type { EndpointShape } from '#server/contract/endpoint.ts';
import { errorReply, errors } from '#server/contract/errors.ts';
import type { RefusalCode } from '#server/domain/refusal.ts';
import type { GenericSchema } from 'valibot';

function schemaOf(schema: GenericSchema, typeMode: 'input' | 'output') {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'ignore',
    target: 'openapi-3.0',
  });
  return rest;
}

function operationOf(name: string, endpoint: EndpointShape) {
  const query = endpoint.query
    ? (schemaOf(endpoint.query, 'input') as {
        properties?: Record<string, object>;
        required?: string[];
      })
    : {};
  const codes: readonly RefusalCode[] = [
    'bad_request',
    'too_many_requests',
    ...(endpoint.who === 'public' ? [] : (['not_logged_in', 'not_allowed'] as const)),
    ...(endpoint.refusals ?? []),
  ];
  const statuses = Map.groupBy(codes, (code) => errors[code].status);
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.who],
    security:
      endpoint.who === 'public'
        ? []
        : endpoint.who === 'phone'
          ? [{ device: [] }]
          : [{ session: [] }],
    parameters: [
      ...[...endpoint.path.matchAll(/:(\w+)/g)].map(([, param]) => ({
        name: param,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...Object.entries(query.properties ?? {}).map(([param, schema]) => ({
        name: param,
        in: 'query',
        required: query.required?.includes(param) ?? false,
        schema,
      })),
    ],
    ...(endpoint.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
          },
        }
      : {}),
    ...(endpoint.form
      ? {
          requestBody: {
            required: true,
            content: { 'multipart/form-data': { schema: formOf(endpoint.form) } },
          },
        }
      : {}),
    responses: {
      ...successOf(endpoint),
      ...Object.fromEntries(
        [...statuses].map(([status, list]) => [
          status,
          {
            description: list.join(', '),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    } as Record<string, object>,
  };
}

/** The fields, and the file beside them. */
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

function successOf({ reply, file, written, accepted, stream }: EndpointShape): object {
  const bytes = file ?? written;
  if (stream)
    return {
      200: {
        description: 'Server-sent events: each `data:` line is one of these',
        content: { 'text/event-stream': { schema: schemaOf(stream, 'output') } },
      },
    };
  if (accepted) return { 202: { description: 'Accepted' } };
  if (bytes)
    return {
      200: {
        description: 'OK',
        content: { [bytes]: { schema: { type: 'string', format: 'binary' } } },
      },
    };
  return reply
    ? {
        200: {
          description: 'OK',
          content: { 'application/json': { schema: schemaOf(reply, 'output') } },
        },
      }
    : { 204: { description: 'Done' } };
}

type Operation = ReturnType<typeof operationOf>;

export function openApi(publicUrl: string): object {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
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
      },
    },
  };
}

/** The API's errors: a status, a code and a sentence, as seats.io's clients read them. */
import { randomUUID } from 'node:crypto';

interface Warning {
  code: string;
  message: string;
  data: Record<string, unknown>;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Set only where clients read it: some expect errors with only code and message. */
  readonly data: Record<string, unknown> | undefined;
  readonly warnings: Warning[];
  /** The allowed methods, for a 405. */
  readonly allowed: string[] | undefined;
  /** When to try again, for a 429. */
  readonly retryAfterS: number | undefined;

  constructor(
    status: number,
    code: string,
    more: {
      message: string;
      data?: Record<string, unknown>;
      warnings?: Warning[];
      allowed?: string[];
      retryAfterS?: number;
    },
  ) {
    super(more.message);
    this.status = status;
    this.code = code;
    this.data = more.data;
    this.warnings = more.warnings ?? [];
    this.allowed = more.allowed;
    this.retryAfterS = more.retryAfterS;
  }
}

/** The key is unknown (401) or may not make this call (403). */
export class AuthError extends ApiError {
  constructor(status: 401 | 403) {
    if (status === 401)
      super(401, 'UNAUTHORIZED', { message: 'Unauthorized: a known secret key is needed' });
    else super(403, 'FORBIDDEN', { message: 'Forbidden: this key may not do that' });
  }
}

/** `status` is required in the body, because clients read it there. */
export function describeError(error: ApiError) {
  return {
    status: error.status,
    errors: [{ code: error.code, message: error.message, data: error.data }],
    messages: [error.message, ...error.warnings.map(({ message }) => message)],
    warnings: error.warnings,
    requestId: randomUUID(),
  };
}

/** 400 GENERAL_ERROR: the request is malformed. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, 'GENERAL_ERROR', { message });
}

export function notFound(
  what: 'Chart' | 'Event' | 'Workspace',
  key: string,
  workspaceKey?: string,
): ApiError {
  const where = workspaceKey === undefined ? '' : ` in workspace ${workspaceKey}`;
  return new ApiError(404, `${what.toUpperCase()}_NOT_FOUND`, {
    message: `${what} not found: ${key} was not found${where}`,
  });
}

interface SchemaIssue {
  type: string;
  expected: string | null;
  received: string;
  message: string;
  path?: [{ origin: string; key: unknown }, ...{ origin: string; key: unknown }[]] | undefined;
}

/** The vendor's names for the types of JSON. */
const TYPES: Record<string, string> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  array: 'JSONArray',
  object: 'JSONObject',
  record: 'JSONObject',
};

/** `received` is the value as the schema library prints it. */
function typeOf(received: string): string {
  if (received.startsWith('"')) return 'String';
  if (/^-?\d/.test(received)) return /^-?\d+$/.test(received) ? 'Integer' : 'Double';
  const names: Record<string, string> = {
    null: 'Null',
    true: 'Boolean',
    false: 'Boolean',
    Array: 'JSONArray',
    Object: 'JSONObject',
  };
  const known = Object.hasOwn(names, received) ? names[received] : undefined;
  return known ?? received.slice(0, 50);
}

/**
 * Written in the vendor's style: `#: required key [chartKey] not found`, `#/name: expected type:
 * String, found: Integer`.
 */
export function describeIssue({ type, expected, received, message, path }: SchemaIssue): string {
  const keys = (path ?? []).map(({ key }) => String(key));
  const at = (parts: string[]) => ['#', ...parts].join('/');
  if (path?.at(-1)?.origin === 'key' && received === 'undefined')
    return `${at(keys.slice(0, -1))}: required key [${keys.at(-1)}] not found`;
  const wanted = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (wanted !== undefined && message.startsWith('Invalid type'))
    return `${at(keys)}: expected type: ${wanted}, found: ${typeOf(received)}`;
  return `${at(keys)}: ${message.startsWith('Invalid type') && expected !== null ? `expected ${expected}, found: ${received.slice(0, 100)}` : message}`;
}

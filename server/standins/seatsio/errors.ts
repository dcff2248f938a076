/** What the API refuses: a status, a code and a sentence, in the body that seats.io's clients look at. */
import { randomUUID } from 'node:crypto';

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly data: Record<string, unknown>;

  constructor(status: number, code: string, more: { message: string; data?: Record<string, unknown> }) {
    super(more.message);
    this.status = status;
    this.code = code;
    this.data = more.data ?? {};
  }
}

/** 401 and 403 leave with an empty body, as the vendor's do. */
export class AuthError extends Error {
  readonly status: 401 | 403;

  constructor(status: 401 | 403) {
    super(status === 401 ? 'Unauthorized' : 'Forbidden');
    this.status = status;
  }
}

/** `status` inside the body is required: clients read it there. */
export function describeError(error: ApiError) {
  return {
    status: error.status, errors: [{ code: error.code, message: error.message, data: error.data }], messages: [error.message], warnings: [],
    requestId: randomUUID(),
  };
}

/** 400 GENERAL_ERROR: what was asked cannot be read. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, 'GENERAL_ERROR', { message });
}

export function notFound(what: 'Chart' | 'Event' | 'Workspace', key: string, workspaceKey?: string): ApiError {
  const where = workspaceKey === undefined ? '' : ` in workspace ${workspaceKey}`;
  return new ApiError(404, `${what.toUpperCase()}_NOT_FOUND`, { message: `${what} not found: ${key} was not found${where}` });
}

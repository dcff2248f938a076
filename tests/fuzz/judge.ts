/** What is wrong with an answer: the contract's promises, whatever was asked. */
import { errors } from '#server/contract/errors.ts';
import type { RefusalCode } from '#server/domain/refusal.ts';
import { misfit, type Operation } from './document.ts';
import type { Reply } from './send.ts';

const slowMs = 5_000;

/** In a few words; null: nothing. `right`: method and path are the operation's own. */
export function faultOf(operation: Operation, reply: Reply, right: boolean): string | null {
  const { status, ms, headers } = reply;
  if (status === -1) return 'no answer';
  if (ms > slowMs) return `an answer after ${Math.round(ms)} ms`;
  // Cut while it was sending: the answer was lost, not missing.
  if (status === 0)
    return /ECONNRESET|EPIPE|after `Connection: close/.test(reply.text)
      ? null
      : `cut: ${reply.text}`;
  if (status >= 500) return `status ${status}`;
  // A 304 has no body that could be taken for something else.
  if (status !== 304 && headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
  if (status >= 400) return faultOfRefusal(reply);
  return right && status !== 304 ? faultOfSuccess(operation, reply) : null;
}

/** Said before anybody knows what is asked. */
const early = [408, 431];

function faultOfRefusal({ status, headers, text }: Reply): string | null {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/html')) return text.includes('lang="it"') ? null : 'a foreign page';
  // An answer to HEAD has no body.
  if (text === '' && type.includes('json')) return null;
  if (!type.includes('json')) return `a refusal as ${type || 'nothing'}`;
  const body = readJson(text) as { status?: number; code?: string; message?: string } | undefined;
  if (body?.status !== status) return 'a refusal with another status inside';
  const known = errors[body.code as RefusalCode];
  if (known?.status !== status && !early.includes(status)) return `an unknown refusal ${body.code}`;
  return body.message ? null : 'a refusal without words';
}

function faultOfSuccess({ responses }: Operation, { status, headers, text }: Reply): string | null {
  const declared = responses[status];
  if (!declared) return `status ${status} is not in the document`;
  if (headers['cache-control'] === undefined) return 'nothing about caches';
  const [type, content] = Object.entries(declared.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return text === '' ? null : 'a body';
  if (!headers['content-type']?.startsWith(type)) return `type ${headers['content-type']}`;
  return type === 'application/json' ? misfit(readJson(text), content.schema) : null;
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What was found, each kind once, and how far the requests came. */
import type { Caller } from './callers.ts';
import type { Operation } from './document.ts';
import { readJson } from './judge.ts';
import type { Request } from './request.ts';
import type { Reply } from './send.ts';

interface Fault {
  what: string;
  operation: string;
  caller: Caller;
  method: string;
  target: string;
  body: string;
  answer: string;
  /** How often it was seen. */
  times: number;
}

export interface Report {
  faults: Fault[];
  /** How many answers had which status. */
  statuses: Map<number, number>;
  /** Operations that nobody was let through once: what stands behind them was not tried. */
  never: { name: string; refusals: [why: string, times: number][] }[];
}

export interface Asked {
  operation: Operation;
  caller: Caller;
  request: Request;
  reply: Reply;
}

export class Findings {
  readonly #faults = new Map<string, Fault>();
  readonly #statuses = new Map<number, number>();
  readonly #reached = new Set<string>();
  readonly #refusals = new Map<string, Map<string, number>>();

  count({ operation: { operationId }, reply: { status, text } }: Asked, reached: boolean): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (reached) this.#reached.add(operationId);
    if (status < 400) return;
    const { code, detail } = (readJson(text) ?? {}) as { code?: string; detail?: unknown };
    const why = `${status} ${code} ${detail === undefined ? '' : JSON.stringify(detail)}`;
    const known = this.#refusals.get(operationId) ?? new Map<string, number>();
    known.set(why, (known.get(why) ?? 0) + 1);
    this.#refusals.set(operationId, known);
  }

  note(what: string, { operation, caller, request, reply }: Asked): void {
    // One of a kind is enough to mend it.
    const kind = `${operation.operationId} ${what.replace(/\d+/g, '#').slice(0, 60)}`;
    const known = this.#faults.get(kind);
    if (known) known.times += 1;
    else
      this.#faults.set(kind, {
        what,
        operation: operation.operationId,
        caller,
        method: request.method,
        target: request.target.slice(0, 500),
        body: request.body?.toString('utf8').slice(0, 1_000) ?? '',
        answer: `${reply.status} ${reply.text.slice(0, 300)}`,
        times: 1,
      });
  }

  report(operations: readonly Operation[]): Report {
    return {
      faults: [...this.#faults.values()],
      statuses: this.#statuses,
      never: operations
        .map(({ operationId }) => operationId)
        .filter((name) => !this.#reached.has(name))
        .map((name) => ({ name, refusals: [...(this.#refusals.get(name) ?? [])] })),
    };
  }
}

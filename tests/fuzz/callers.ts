/** Who calls: a visitor, each role of the office, a phone, and a program with a token for everything; whoever was thrown out comes back. */
import { endpoints } from '#server/contract/all.ts';
import { isOfProgram } from '#server/contract/endpoint.ts';
import { programScopes } from '#server/domain/program/token.ts';
import { may } from '#server/domain/rights.ts';
import { roles, type Role } from '#server/domain/user.ts';
import { makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { makeProgram } from '#tests/support/programs.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

export const callers = ['nobody', 'phone', 'program', ...roles] as const;
export type Caller = (typeof callers)[number];

export function isEntitled(caller: Caller, operationId: string): boolean {
  const { who } = endpoints[operationId]!;
  if (who === 'public') return true;
  if (who === 'phone' || caller === 'phone') return who === caller;
  if (isOfProgram(who) || caller === 'program') return isOfProgram(who) && caller === 'program';
  return caller !== 'nobody' && may(caller, who);
}

export class Callers {
  readonly #credentials = new Map<Caller, Record<string, string>>([['nobody', {}]]);
  readonly #server: TestServer;
  readonly #people: object[];

  private constructor(server: TestServer, people: object[]) {
    this.#server = server;
    this.#people = people;
  }

  static async open(server: TestServer): Promise<Callers> {
    await makeAdmin(server);
    for (const role of roles) await asRole(server, role);
    const callersOf = new Callers(server, await server.house.ctx.db('users').select());
    for (const caller of callers) await callersOf.renew(caller);
    return callersOf;
  }

  of(caller: Caller): Record<string, string> {
    return this.#credentials.get(caller)!;
  }

  /** A caller may have ended its own session, or been removed, or have lost its role. */
  async renew(caller: Caller): Promise<void> {
    if (caller === 'nobody') return;
    await this.#server.house.ctx.db('users').insert(this.#people).onConflict('id').merge();
    this.#credentials.set(caller, await this.#headersOf(caller));
  }

  async #headersOf(caller: Exclude<Caller, 'nobody'>): Promise<Record<string, string>> {
    if (caller === 'phone')
      return (await makePairedPhone(this.#server, await this.#session('admin'))).headers;
    return caller === 'program'
      ? (await makeProgram(this.#server, { scopes: programScopes })).headers
      : this.#session(caller);
  }

  #session(role: Role): Promise<{ cookie: string }> {
    return asRole(this.#server, role);
  }
}

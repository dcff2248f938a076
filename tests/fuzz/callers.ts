/** Who calls: a visitor, a buyer with the link of an order, each role of the office, a steward's and a supervisor's phone, a program that may all and one that may little; whoever was thrown out comes back. */
import { endpoints } from '#server/contract/all.ts';
import { isProgramCaller } from '#server/contract/endpoint.ts';
import { changePhone } from '#server/contract/door/phones.ts';
import { programScopes, type ProgramScope } from '#server/domain/program/token.ts';
import { may } from '#server/domain/user/rights.ts';
import { roles, type Role } from '#server/domain/user/user.ts';
import { callOk, makeAdmin, makePairedPhone } from '#tests/support/make.ts';
import { makeProgram } from '#tests/support/programs.ts';
import { asRole } from '#tests/support/roles.ts';
import type { TestServer } from '#tests/support/server.ts';

export const callers = [
  'nobody',
  'buyer',
  'phone',
  'supervisor',
  'program',
  'narrow program',
  ...roles,
] as const;
export type Caller = (typeof callers)[number];

const narrowScopes: readonly ProgramScope[] = ['events'];

export function isEntitled(caller: Caller, operationId: string): boolean {
  const { who } = endpoints[operationId]!;
  if (who === 'public') return true;
  if (who === 'phone') return caller === 'phone' || caller === 'supervisor';
  if (isProgramCaller(who))
    return (
      caller === 'program' ||
      (caller === 'narrow program' && narrowScopes.some((scope) => who === `program:${scope}`))
    );
  return isRole(caller) && may(caller, who);
}

function isRole(caller: Caller): caller is Role {
  return (roles as readonly string[]).includes(caller);
}

export class Callers {
  readonly #credentials = new Map<Caller, Record<string, string>>();
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
    await this.#server.house.ctx.db('users').insert(this.#people).onConflict('id').merge();
    this.#credentials.set(caller, await this.#headersOf(caller));
  }

  async #headersOf(caller: Caller): Promise<Record<string, string>> {
    switch (caller) {
      case 'nobody':
      case 'buyer':
        return {};
      case 'phone':
      case 'supervisor':
        return this.#phone(caller === 'supervisor');
      case 'program':
        return (await makeProgram(this.#server, { scopes: programScopes })).headers;
      case 'narrow program':
        return (await makeProgram(this.#server, { scopes: narrowScopes })).headers;
      default:
        return asRole(this.#server, caller);
    }
  }

  async #phone(isSupervisors: boolean): Promise<Record<string, string>> {
    const admin = await asRole(this.#server, 'admin');
    const { phone_id, headers } = await makePairedPhone(this.#server, admin);
    if (isSupervisors)
      await callOk(
        this.#server,
        changePhone,
        { params: { phoneId: phone_id }, body: { role: 'supervisor' } },
        admin,
      );
    return headers;
  }
}

/** People who are not admins, inserted as rows, because no screen creates them yet. */
import type { Role } from '#server/domain/user/user.ts';
import { login } from '#server/contract/users.ts';
import { ask, cookieOf } from './make.ts';
import type { TestServer } from './server.ts';

/**
 * A session of a person with that role; the result is the Cookie header. Call makeAdmin() first.
 */
export async function asRole(server: TestServer, role: Role): Promise<{ cookie: string }> {
  const { db } = server.house.ctx;
  // The password is the admin's, so a real login follows.
  const ada = await db('users').where({ role: 'admin' }).first();
  if (!(await db('users').where({ id: role }).first()))
    await db('users').insert({ ...ada, id: role, email: `${role}@teatro.it`, name: role, role });
  const answer = await ask(server, login.method, login.path, {
    body: { email: `${role}@teatro.it`, password: 'una-platea-piena-di-luce' },
  });
  return cookieOf(answer);
}

/** Tries at one account's password from as many addresses, all at once. */
import { login } from '#server/contract/users.ts';
import { ask } from '#tests/support/make.ts';

/** How many of them reached the password; ten one by one do. The servers share one database. */
export async function guessTogether(
  servers: readonly { url: string }[],
  tries: number,
): Promise<number> {
  const body = { email: 'nessuno@teatro.it', password: 'sbagliata' };
  const answers = Array.from({ length: tries }, (_, nth) => {
    const headers = { 'x-forwarded-for': `198.51.${nth >> 8}.${nth & 255}` };
    return ask(servers[nth % servers.length]!, login.method, login.path, { body, headers });
  });
  return (await Promise.all(answers)).filter(({ status }) => status === 401).length;
}

/** Tries at one account's password from as many networks and in each spelling of its mail address, all at once. */
import { login } from '#server/contract/users.ts';
import { ask } from '#tests/support/make.ts';
import { startPostgres } from '#tests/support/postgres.ts';
import { startServer } from '#tests/support/server.ts';

/** Prints how many of 201 tries in parallel are looked at, on PostgreSQL, whose answers overlap. */
export async function attackPassword(): Promise<void> {
  const postgres = await startPostgres();
  const server = await startServer({
    database: 'postgres',
    postgresUrl: postgres.url,
    env: { TRUST_PROXY: '1' },
  });
  const taken = await guessTogether([server], 201);
  console.log(`201 tries at a password in parallel: ${taken} looked at (35 to 201 at 794fcc32)`);
  await server.close();
  await postgres.stop();
}

/** How many of them reached the password; ten one by one do. The servers share one database. */
export async function guessTogether(
  servers: readonly { url: string }[],
  tries: number,
): Promise<number> {
  const spellings = ['nessuno@città.it', 'NESSUNO@xn--citt-3na.it', 'Nessuno@citta\u0300.it'];
  const answers = Array.from({ length: tries }, (_, nth) => {
    const headers = { 'x-forwarded-for': `198.51.${nth >> 8}.${nth & 255}` };
    const body = { email: spellings[nth % 3], password: 'sbagliata' };
    return ask(servers[nth % servers.length]!, login.method, login.path, { body, headers });
  });
  return (await Promise.all(answers)).filter(({ status }) => status === 401).length;
}

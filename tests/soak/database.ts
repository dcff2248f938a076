/** PostgreSQL for a soak: durable, its tables on a small disk that can be made full. */
import { Client } from 'pg';
import { startPostgres } from '#tests/support/postgres.ts';
import { mountSmallDisk, type SmallDisk } from './troubles.ts';

const diskMegabytes = 2_000;

interface SoakDatabase extends AsyncDisposable {
  address: string;
  /** Null: nobody here may mount one. */
  disk: SmallDisk | null;
}

export async function makeSoakDatabase(): Promise<SoakDatabase> {
  const server = await startPostgres({ durable: true });
  const client = new Client({ connectionString: `${server.url}/postgres` });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
  const disk = mountSmallDisk(rows[0]!.data_directory, diskMegabytes);
  if (disk !== null) await client.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
  await client.query(`CREATE DATABASE soak ${disk === null ? '' : 'TABLESPACE small'}`);
  await client.end();
  return {
    address: `${server.url}/soak`,
    disk,
    async [Symbol.asyncDispose]() {
      await server.stop();
      disk?.remove();
    },
  };
}

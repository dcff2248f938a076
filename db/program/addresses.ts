/** Webhook addresses of other programs, in SQL. */
import type { Db } from '#db/engine/dialect.ts';
import type { ProgramAddressRow } from '#db/rows.ts';

export async function insertAddress(db: Db, row: ProgramAddressRow): Promise<void> {
  await db<ProgramAddressRow>('program_addresses').insert(row);
}

export async function listAddresses(db: Db): Promise<ProgramAddressRow[]> {
  return db<ProgramAddressRow>('program_addresses').orderBy(['created_at', 'id']);
}

export async function findAddress(db: Db, id: string): Promise<ProgramAddressRow | undefined> {
  return db<ProgramAddressRow>('program_addresses').where({ id }).first();
}

/** Returns false if the address no longer exists. */
export async function changeAddress(
  db: Db,
  id: string,
  changes: Partial<ProgramAddressRow>,
): Promise<boolean> {
  return (await db<ProgramAddressRow>('program_addresses').where({ id }).update(changes)) === 1;
}

/** Deletes an address with its messages. */
export async function deleteAddress(db: Db, id: string): Promise<boolean> {
  await db('program_deliveries').where({ address_id: id }).delete();
  return (await db<ProgramAddressRow>('program_addresses').where({ id }).delete()) === 1;
}

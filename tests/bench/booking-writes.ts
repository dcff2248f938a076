/** Part of the booking bench: ordinary writes beside bare better-sqlite3, and a long list. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { connect } from '#db/engine/connect.ts';
import { insertMany } from '#db/engine/statements.ts';
import { transact } from '#db/engine/transact.ts';
import { quantile } from './quantile.ts';
import { scaled } from './scale.ts';

const schema = [
  'CREATE TABLE things (id TEXT PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL, at INTEGER NOT NULL)',
  'CREATE TABLE parts (id TEXT PRIMARY KEY, thing_id TEXT NOT NULL REFERENCES things (id), kind TEXT, cents INTEGER)',
  'CREATE TABLE notes (id TEXT PRIMARY KEY, at INTEGER NOT NULL, actor TEXT, action TEXT, subject TEXT)',
];

const uploaded = scaled(10_000);
let ids = 0;
const newId = () => `id-${String(++ids).padStart(20, '0')}`;

/** Three inserts in a transaction: a loop on the driver, and transact() with one caller and with many. */
export async function compareWrites(folder: string, rounds: number): Promise<void> {
  const raw = new Database(join(folder, 'writes-raw.sqlite'));
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
    raw.pragma(pragma);
  const db = connect(join(folder, 'writes.sqlite'));
  for (const sql of schema) {
    raw.exec(sql);
    await db.raw(sql);
  }
  const [thing, part, note] = [
    'things VALUES (?, ?, ?, ?)',
    'parts VALUES (?, ?, ?, ?)',
    'notes VALUES (?, ?, ?, ?, ?)',
  ].map((sql) => raw.prepare(`INSERT INTO ${sql}`));
  const bare = raw.transaction(() => {
    const id = newId();
    thing!.run(id, 'name', 1, Date.now());
    part!.run(newId(), id, 'kind', 2);
    note!.run(newId(), Date.now(), 'actor', 'action', id);
  });
  const ours = () =>
    transact(db, async (trx) => {
      const id = newId();
      await trx('things').insert({ id, name: 'name', count: 1, at: Date.now() });
      await trx('parts').insert({ id: newId(), thing_id: id, kind: 'kind', cents: 2 });
      await trx('notes').insert({
        id: newId(),
        at: Date.now(),
        actor: 'actor',
        action: 'action',
        subject: id,
      });
    });
  const times = scaled(1_000);
  const rates: Record<string, number[]> = { raw: [], 1: [], 16: [] };
  for (let round = 0; round < rounds + 1; round += 1) {
    const began = performance.now();
    for (let turn = 0; turn < times; turn += 1) bare.immediate();
    rates['raw']!.push(times / ((performance.now() - began) / 1000));
    for (const callers of [1, 16]) {
      let left = times;
      const start = performance.now();
      await Promise.all(
        Array.from({ length: callers }, async () => {
          while (left-- > 0) await ours();
        }),
      );
      rates[callers]!.push(times / ((performance.now() - start) / 1000));
    }
  }
  const of = (name: string | number) => quantile(rates[name]!.slice(1), 0.5);
  console.log(
    `ordinary writes: three inserts in a transaction, ${rounds} rounds of ${times}, medians`,
  );
  console.log(
    `  raw ${Math.round(of('raw'))}/s, one caller ${Math.round(of(1))}/s = ${(of(1) / of('raw')).toFixed(2)}, 16 callers ${Math.round(of(16))}/s = ${(of(16) / of('raw')).toFixed(2)} (goal 0.90)`,
  );
  raw.close();
  await db.destroy();
}

/** Ten thousand rows as the product writes them, in one transaction. */
export async function measureUpload(folder: string): Promise<void> {
  const db = connect(join(folder, 'upload.sqlite'));
  await db.raw(schema[0]!);
  const rows = Array.from({ length: uploaded }, () => ({
    id: newId(),
    name: 'name',
    count: 1,
    at: Date.now(),
  }));
  const began = performance.now();
  await transact(db, (trx) => insertMany(trx, 'things', rows));
  console.log(`upload: ${uploaded} rows in ${(performance.now() - began).toFixed(0)} ms`);
  await db.destroy();
}

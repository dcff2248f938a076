/** The stand-ins' store: all or nothing for each write, one commit for those that come together, and no reader in between. */
import Database from 'better-sqlite3';
import { expect, inject, test } from 'vitest';
import { openPostgresStore } from '#server/standins/kit/postgres-store.ts';
import type { Step } from '#server/standins/kit/steps.ts';
import { openStore, type Store } from '#server/standins/kit/store.ts';
import { newFile } from '#tests/standins/new-file.ts';
import { makeDatabase } from '#tests/support/postgres.ts';

const STEPS = [
  {
    name: 'one',
    sql: 'CREATE TABLE things (name TEXT PRIMARY KEY, count INTEGER NOT NULL)',
  },
];

function add(store: Store, name: string, fail = false): Promise<string> {
  return store.write(async (writer) => {
    await writer.run('INSERT INTO things (name, count) VALUES (?, 1)', name);
    if (fail) throw new Error(`refused ${name}`);
    return name;
  });
}

function names(store: Store): Promise<{ name: string }[]> {
  return store.all('SELECT name FROM things ORDER BY name');
}

test('a write that throws leaves nothing, and those beside it stay', async () => {
  const store = openStore(':memory:', STEPS);
  const answers = await Promise.allSettled([
    add(store, 'a'),
    add(store, 'b', true),
    add(store, 'c'),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await names(store)).toEqual([{ name: 'a' }, { name: 'c' }]);
  await store.close();
});

test('nobody reads what is not committed yet, and what is read together is of one moment', async () => {
  const store = openStore(':memory:', STEPS);
  const seen: number[] = [];
  const written = store.write(async (writer) => {
    await writer.run("INSERT INTO things (name, count) VALUES ('a', 1)");
    const outside = names(store).then((rows) => seen.push(rows.length));
    await writer.run("INSERT INTO things (name, count) VALUES ('b', 1)");
    return { outside };
  });
  await (
    await written
  ).outside;
  expect(seen).toEqual([2]);
  await store.read(async (reader) => {
    const later = add(store, 'c');
    const before = await reader.all('SELECT name FROM things');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await reader.all('SELECT name FROM things')).toEqual(before);
    return { later };
  });
  await store.close();
});

test('a reader cannot write, and a writer is of no use once its work is over', async () => {
  const store = openStore(':memory:', STEPS);
  await expect(store.all('DELETE FROM things')).rejects.toThrow('cannot write');
  const writer = await store.write(async (one) => ({ one }));
  await expect(writer.one.run('DELETE FROM things')).rejects.toThrow('The transaction is over');
  await store.close();
});

const later = { name: 'two', sql: 'ALTER TABLE things ADD colour TEXT' };

test('a store of an older number is brought up once, also by two processes at the same time', async () => {
  using place = newFile();
  const { address, drop } = await makeDatabase(inject('postgresUrl'));
  const inPostgres = (steps: readonly Step[]) =>
    openPostgresStore({ url: address, steps, schema: 'things', namedStatements: false });
  const kinds = [async (steps: readonly Step[]) => openStore(place.file, steps), inPostgres];
  for (const open of kinds) {
    const first = await Promise.all([open(STEPS), open(STEPS)]);
    await add(first[0], 'a');
    const stores = [
      ...first,
      ...(await Promise.all([open([...STEPS, later]), open([...STEPS, later])])),
    ];
    // A store of a newer number serves a program of before.
    stores.push(await open(STEPS));
    await add(stores.at(-1)!, 'b');
    expect(await stores[2]!.all('SELECT name, colour FROM things ORDER BY name')).toEqual([
      { name: 'a', colour: null },
      { name: 'b', colour: null },
    ]);
    for (const store of stores) await store.close();
  }
  await drop();
});

test('tables from before steps were recorded are refused in one sentence, and stay', async () => {
  using place = newFile();
  const file = new Database(place.file);
  file.exec('CREATE TABLE things (name TEXT PRIMARY KEY)');
  expect(() => openStore(place.file, STEPS)).toThrow(/^Questi dati .* versione di prova/);
  expect(file.prepare('SELECT name FROM sqlite_master').pluck().all()).toEqual([
    'things',
    'sqlite_autoindex_things_1',
  ]);
  file.close();
});

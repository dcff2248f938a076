/** The stand-ins' store: all or nothing for each write, one commit for those that come together, and no reader in between. */
import { expect, test } from 'vitest';
import { openStore, type Store } from '#server/standins/kit/store.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS things (name TEXT PRIMARY KEY, count INTEGER NOT NULL)';

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
  const store = openStore(':memory:', SCHEMA);
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
  const store = openStore(':memory:', SCHEMA);
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
  const store = openStore(':memory:', SCHEMA);
  await expect(store.all('DELETE FROM things')).rejects.toThrow('cannot write');
  const writer = await store.write(async (one) => ({ one }));
  await expect(writer.one.run('DELETE FROM things')).rejects.toThrow('The transaction is over');
  await store.close();
});

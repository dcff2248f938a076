/** The page that checks a book, opened from a disk in the other two engines: a whole book is said to be whole, a touched one is not. */
import { expect, test } from 'vitest';
import { bookFolder, books, engines } from './open-page.ts';

for (const name of ['Firefox', 'WebKit'])
  test(`a book is judged from the disk, signature and all (${name})`, async () => {
    await using folder = await bookFolder(books);
    await using engine = await engines[name]!();
    expect((await engine.open(folder.at('intero.json.gz'))).said).toBe('Il libro è integro');
    expect((await engine.open(folder.at('toccato.json.gz'))).said).toBe(
      'Il libro non è quello scritto dall’organizzatore',
    );
  });

/** What comments and READMEs name exists, and each piece of documentation stands on what it is about. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '#db/migrations/index.ts';
import { listSources, root } from '#tests/suite/imports.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const withoutComments = (text: string) => text.replace(comment, '');

/** Strings that look like comments begin without a space, as in an address. */
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;
const sources = listSources();

interface Passage {
  /** File and line. */
  place: string;
  text: string;
}

const lineOf = (text: string, index: number) => text.slice(0, index).split('\n').length;

const comments: Passage[] = sources.flatMap((path) => {
  const text = read(path);
  const found = [...text.matchAll(comment)];
  return found.map((one) => ({ place: `${path}:${lineOf(text, one.index)}`, text: one[0] }));
});

const repository = globSync('{,.deploy/,.github/,.readme/}**/*.{ts,tsx,css,md}', {
  cwd: root,
  exclude: (path) => /(?:^|\/)(?:node_modules|\.out)$|^data$/.test(path),
});

/** Decisions tell what was so when they were made. */
const manuals: Passage[] = repository
  .filter((path) => path.endsWith('.md') && !path.includes('decisions/'))
  .map((path) => ({ place: path, text: read(path) }));

/** Each ending of each path: a comment may leave out the floor, or the room it stands in. */
const endings = new Set(
  repository.flatMap((path) => {
    const parts = path.split('/');
    return parts.map((_, at) => parts.slice(at).join('/'));
  }),
);

test('a file that a comment or a manual names exists', () => {
  const named = /(?<![\w./:@*-])[\w-][\w.-]*(?:\/[\w.-]+)*\.(?:tsx?|css|md)\b(?![\w-])/g;
  const missing = [...comments, ...manuals].flatMap(({ place, text }) =>
    (text.match(named) ?? [])
      .filter((path) => !endings.has(path))
      .map((path) => `${place} ${path}`),
  );
  expect(missing).toEqual([]);
});

test('a migration that a comment names exists', () => {
  const known = Object.keys(migrations);
  const missing = comments.flatMap(({ place, text }) =>
    (text.match(/(?<![\w-])0\d\d-[a-z][\w-]+/g) ?? [])
      .filter((name) => !known.includes(name))
      .map((name) => `${place} ${name}`),
  );
  expect(missing).toEqual([]);
});

test('a name of code that a comment puts in backticks stands in the code', () => {
  const words = new Set(
    sources.flatMap((path) => withoutComments(read(path)).match(/[\w$]+/g) ?? []),
  );
  const missing = [...comments, ...manuals].flatMap(({ place, text }) =>
    [...text.matchAll(/`([\w.]+)(?:\([^`\n]*)?`/g)]
      .flatMap(([, name = '']) => name.split('.'))
      // Only a name in camel case is surely one of code.
      .filter((name) => /^[a-z]+[A-Z]/.test(name) && !words.has(name))
      .map((name) => `${place} ${name}`),
  );
  expect(missing).toEqual([]);
});

test('a name that a comment places in a file stands in that file', () => {
  const placed = /`(\w+)` (?:of|in|from) ([\w/-]+\.tsx?)/g;
  const missing = comments.flatMap(({ place, text }) =>
    [...text.matchAll(placed)]
      .filter(([, name, file = '']) => {
        const homes = sources.filter((path) => path === file || path.endsWith(`/${file}`));
        const named = new RegExp(`\\b${name}\\b`);
        return !homes.some((path) => named.test(withoutComments(read(path))));
      })
      .map(([said]) => `${place} ${said}`),
  );
  expect(missing).toEqual([]);
});

test('documentation is followed by code, except the words of a file about itself', () => {
  const orphans = sources.flatMap((path) => {
    const text = read(path).replace(/^#!.*\n/, '');
    const found = [
      ...text.matchAll(/^[ \t]*(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)[ \t]*\n(\n*)[ \t]*\/\*\*/gm),
    ];
    return found
      .filter(({ index, 2: gap }) => index > 0 || gap === '')
      .map(({ index }) => `${path}:${lineOf(text, index)}`);
  });
  expect(orphans).toEqual([]);
});

test('a comment of the product is broken at one hundred columns, which the formatter leaves to us', () => {
  // What is told to the linter stands in one line.
  const isComment = /^\s*(?:\/\*|\*(?: |\/)|\/\/ (?!oxlint))/;
  const wide = sources
    .filter((path) => /^(?:apps|server|db)\//.test(path))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, at) =>
          line.length > 100 && isComment.test(line) ? [`${path}:${at + 1}`] : [],
        ),
    );
  expect(wide).toEqual([]);
});

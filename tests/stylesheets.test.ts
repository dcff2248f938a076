/** Every class that a screen takes from its stylesheet is there: a name that is missing would be no class, and nobody would be told. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Use {
  file: string;
  sheet: string;
  name: string;
}

function usesIn(file: string, text: string): Use[] {
  const sheets = text.matchAll(/^import (\w+) from '(.+\.module\.css)';$/gm);
  return [...sheets].flatMap(([, local, from]) => {
    const sheet = from!.startsWith('#') ? from!.slice(1) : join(dirname(file), from!);
    const names = text
      .replaceAll(/^import .*$/gm, '')
      .matchAll(new RegExp(`(?<![.\\w])${local!}(?:\\.(\\w+)|\\['([\\w-]+)'\\])`, 'g'));
    return [...names].map(([, plain, quoted]) => ({ file, sheet, name: (plain ?? quoted)! }));
  });
}

/** As Vite spells it in code: `card-title` is `cardTitle`, too. */
function classesOf(sheet: string): Set<string> {
  const names = readFileSync(join(root, sheet), 'utf8').matchAll(/\.([a-zA-Z][\w-]*)/g);
  return new Set(
    [...names].flatMap(([, name]) => [
      name!,
      name!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    ]),
  );
}

test('no screen names a class that its stylesheet does not have', () => {
  const files = globSync('apps/**/*.{ts,tsx}', { cwd: root });
  const uses = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return text.includes('.module.css') ? usesIn(file, text) : [];
  });
  expect(uses.length).toBeGreaterThan(500);
  expect(uses.filter(({ sheet, name }) => !classesOf(sheet).has(name))).toEqual([]);
});

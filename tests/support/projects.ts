/** The two ways in which a worker runs test files: with modules of their own, or kept. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

function isOfBrowser(path: string): boolean {
  const text = readFileSync(join(root, path), 'utf8');
  return text.includes('/browsers/') && !text.includes('/node-phone.ts');
}

/** `ending`: of the files' names, as `test` or `proof`. */
export function projectsOf(ending: string) {
  const exclude = ['.out/**'];
  const ofApps = [
    `{booking,scanner,shared}/*.${ending}.ts`,
    `chart/{choice-rules,texts,words}.${ending}.ts`,
  ];
  // Apps that run in Node keep state in their modules, as a page does.
  const pages = globSync(ofApps, { cwd: root }).filter((path) => !isOfBrowser(path));
  return [
    { test: { name: 'pages', include: pages, exclude } },
    {
      // The server's modules have no state of a single product, so a worker loads them once.
      test: {
        name: 'house',
        include: [`**/*.${ending}.ts`],
        exclude: [...exclude, ...pages],
        isolate: false,
        env: { WORKER_STAYS: 'yes' },
      },
    },
  ];
}

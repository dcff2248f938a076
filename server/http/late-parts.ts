/**
 * The `<link>` tags for scripts that a page loads later; apps/booking/start.ts loads them once
 * the page is painted.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Vite's manifest of its build. */
type Manifest = Record<string, { file: string; imports?: string[]; dynamicImports?: string[] }>;

const known = new Map<string, { built: number; manifest: Manifest }>();

/**
 * The tags for the scripts of every page, then for those of one screen; `screen` is a file of
 * apps/booking without its ending. Empty during a build.
 */
export async function lateParts(folder: string, screen: string | null): Promise<string> {
  const manifest = await readManifest(join(folder, '.vite/manifest.json')).catch(
    (): Manifest => ({}),
  );
  const parts = new Set<string>();
  const gather = (name: string) => {
    if (parts.has(name)) return;
    parts.add(name);
    for (const needed of manifest[name]?.imports ?? []) gather(needed);
  };
  for (const name of manifest['index.html']?.dynamicImports ?? []) gather(name);
  if (screen !== null) gather(`${screen}.tsx`);
  // Leaves out what the page's HTML names already.
  const first = ['index.html', ...(manifest['index.html']?.imports ?? [])];
  return [...parts]
    .filter((name) => !first.includes(name))
    .flatMap((name) => manifest[name] ?? [])
    .map(({ file }) => `\n    <link rel="late" href="/${file}" crossorigin />`)
    .join('');
}

/** Cached until the next build. */
async function readManifest(path: string): Promise<Manifest> {
  const built = (await stat(path)).mtimeMs;
  const before = known.get(path);
  if (before?.built === built) return before.manifest;
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  known.set(path, { built, manifest });
  return manifest;
}

/**
 * The `<link>` tags of scripts that a page loads after its first one; apps/booking/start.ts
 * fetches them together once the page is painted.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Vite's own list of what it has built. */
type Manifest = Record<string, { file: string; imports?: string[]; dynamicImports?: string[] }>;

const known = new Map<string, { built: number; manifest: Manifest }>();

/**
 * First those of every page, then a screen's own; `screen` is a file of apps/booking without its
 * ending. Empty during a build.
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
  // What stands in the page itself is asked for already.
  const first = ['index.html', ...(manifest['index.html']?.imports ?? [])];
  return [...parts]
    .filter((name) => !first.includes(name))
    .flatMap((name) => manifest[name] ?? [])
    .map(({ file }) => `\n    <link rel="late" href="/${file}" crossorigin />`)
    .join('');
}

/** Read again after a new build. */
async function readManifest(path: string): Promise<Manifest> {
  const built = (await stat(path)).mtimeMs;
  const before = known.get(path);
  if (before?.built === built) return before.manifest;
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  known.set(path, { built, manifest });
  return manifest;
}

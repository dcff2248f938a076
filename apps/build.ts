/**
 * Builds everything that runs in a browser into dist/; `--if-changed` skips an unchanged build.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const root = path.join(import.meta.dirname, '..');
const stamp = path.join(root, 'dist', '.built');
/** In this order, because a build empties its app's folder, with the apps inside it. */
const apps = ['booking', 'admin', 'scanner', 'verify', 'verify/draw', 'chart', 'chart/designer'];
/** The public site again, for the server that draws its pages. */
const drawn = { app: 'booking', entry: 'server-entry.tsx', folder: 'booking-server' };
const sources = [
  'apps',
  'server/contract',
  'server/domain',
  'server/drawing',
  'server/standins/seatsio/wire.ts',
  // The office shows it as a page.
  '.deploy/METTERE-IN-SCENA.md',
  'package-lock.json',
  // The office knows its version.
  'package.json',
];

/** One hash over the names and contents of all files that a build reads. */
async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const at = path.join(root, source);
    const files = path.extname(source) ? [at] : await listFiles(at);
    for (const file of files)
      hash
        .update(path.relative(root, file))
        .update('\0')
        .update(await readFile(file))
        .update('\0');
  }
  return hash.digest('hex');
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/**
 * Compresses the files once, so that no visitor's request has to; the server sends the variant
 * that the browser accepts.
 */
async function compressFiles(folder: string): Promise<void> {
  for (const file of await listFiles(folder)) {
    if (!/\.(js|css|svg|wasm|json|webmanifest)$/.test(file)) continue;
    const bytes = await readFile(file);
    if (bytes.length < 1_000) continue;
    const quality = bytes.length > 200_000 ? 9 : 11;
    await writeFile(
      `${file}.br`,
      await promisify(brotliCompress)(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: quality },
      }),
    );
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}

const hash = await hashSources();
const built = await readFile(stamp, 'utf8').catch(() => '');
const present = [...apps, drawn.folder].every((folder) =>
  existsSync(path.join(root, 'dist', folder)),
);
if (process.argv.includes('--if-changed') && built === hash && present) process.exit(0);

const began = performance.now();
// Imported late, because most starts need no build.
const { build } = await import('vite');
// Without the stamp a build that fails counts as unfinished.
await rm(stamp, { force: true });
// Vite plugins read NODE_ENV; a server that builds at its start may have another value.
process.env.NODE_ENV = 'production';
// Plugins are slow on a busy machine, which is no fault of what was built.
const checks = { bundlerTimings: false };
for (const app of apps) {
  await build({
    configFile: path.join(root, 'apps', app, 'vite.config.ts'),
    mode: 'production',
    logLevel: 'warn',
    build: { rolldownOptions: { checks } },
  });
}
await build({
  configFile: path.join(root, 'apps', drawn.app, 'vite.config.ts'),
  mode: 'production',
  logLevel: 'warn',
  // The server needs even the screens that a browser fetches late, so they are in the same file.
  build: {
    ssr: path.join(root, 'apps', drawn.app, drawn.entry),
    outDir: path.join(root, 'dist', drawn.folder),
    emptyOutDir: true,
    // The booking site's own build copies them.
    copyPublicDir: false,
    // The server holds the script's text in memory, so a smaller text is better.
    minify: true,
    rolldownOptions: {
      checks: { ...checks, ineffectiveDynamicImport: false },
      output: { codeSplitting: false },
    },
  },
  // The file needs no node_modules, so a server without development tools can draw pages.
  ssr: { noExternal: true },
  // NODE_ENV is fixed in the build; otherwise React would read it at each start and might run its
  // slow development code.
  environments: { ssr: { keepProcessEnv: false } },
});
for (const app of apps) if (!app.includes('/')) await compressFiles(path.join(root, 'dist', app));
await mkdir(path.dirname(stamp), { recursive: true });
await writeFile(stamp, hash);
console.log(`built ${apps.join(', ')} in ${((performance.now() - began) / 1000).toFixed(1)} s`);

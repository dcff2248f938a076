/** The two build recipes for browsers, so that each app's vite.config.ts has one or two lines. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { preprocessCSS, type PluginOption, type ResolvedConfig, type UserConfig } from 'vite';
import { VitePWA, type VitePWAOptions } from 'vite-plugin-pwa';

const apps = import.meta.dirname;
const dist = path.join(apps, '..', 'dist');
/** By default the package's development build is used, which sends its warnings to visitors. */
const productionRouter = path.join(apps, '../node_modules/react-router/dist/production/index.mjs');

/**
 * A React app: root `apps/<name>`, its own `public` folder, hashed files under `<base>assets/`,
 * built into `dist/<name>`. `base` is the path on the site, with a slash at the end; `plugins`
 * run after React's.
 */
export function defineApp(name: string, base: string, plugins: PluginOption[] = []): UserConfig {
  return {
    root: path.join(apps, name),
    base,
    cacheDir: path.join(apps, '..', 'node_modules', '.vite', name),
    plugins: [react(), ...plugins],
    resolve: { alias: [{ find: /^react-router$/, replacement: productionRouter }] },
    css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: classNameIn(name) } },
    build: {
      outDir: path.join(dist, name),
      emptyOutDir: true,
      assetsDir: 'assets',
      modulePreload: { polyfill: false },
    },
  };
}

/**
 * Names a CSS module's class by its file: `.row` of `order/places.module.css` becomes
 * `order-places_row`. Browser and server builds agree, and the name in a page leads to the file.
 */
function classNameIn(name: string): (local: string, file: string) => string {
  const root = path.join(apps, name);
  return (local, file) => {
    const place = path
      .relative(root, file.replace(/\?.*$/, ''))
      .replace(/(\.late)?\.module\.css$/, '');
    return `${place.replaceAll(path.sep, '-')}_${local}`;
  };
}

/** Only the server reads these fields of an endpoint. */
const serverOnly = new Set([
  'query',
  'body',
  'refusals',
  'summary',
  'who',
  'limit',
  'longestParam',
]);

/**
 * Leaves out the schemas of endpoints, a tenth of the script that a visitor's phone would fetch.
 * The public site needs only method, path and whether the answer is JSON. Not for apps that use
 * the contract's schemas.
 */
export function withoutSchemas(): PluginOption {
  return {
    name: 'without-schemas',
    enforce: 'pre',
    transform: {
      filter: { id: /\/server\/contract\/[\w/-]+\.ts$/ },
      handler(code) {
        const cuts: [start: number, end: number, text: string][] = [];
        const calls: number[] = [];
        walk(this.parse(code, { lang: 'ts' }), (node) => {
          // `...[]` is valid in objects, lists and calls.
          if (node.type === 'SpreadElement' && node.argument?.type === 'MemberExpression')
            cuts.push([node.start, node.end, '...[]']);
          if (node.type !== 'CallExpression') return;
          if (node.callee?.name !== 'endpoint') {
            // Marks the other calls as free of side effects, so that unused ones are removed.
            calls.push(node.start);
            return;
          }
          for (const property of node.arguments?.at(-1)?.properties ?? []) {
            if (serverOnly.has(property.key?.name ?? ''))
              cuts.push([property.start, property.end, '...{}']);
            if (property.key?.name === 'reply')
              cuts.push([property.start, property.end, 'reply: true']);
          }
        });
        const outer = cuts.filter(
          ([start, end]) =>
            !cuts.some(
              (other) => other[0] <= start && other[1] >= end && other[1] - other[0] > end - start,
            ),
        );
        const marks = calls
          .filter((at) => !outer.some(([start, end]) => at >= start && at < end))
          .map((at): [number, number, string] => [at, at, '/* @__PURE__ */ ']);
        return {
          code: [...outer, ...marks]
            .toSorted((a, b) => b[0] - a[0])
            .reduce(
              (text, [start, end, put]) => text.slice(0, start) + put + text.slice(end),
              code,
            ),
          map: null,
        };
      },
    },
  };
}

/** The used part of a syntax tree's node. */
interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  key?: { name?: string };
  callee?: { name?: string };
  argument?: { type: string };
  arguments?: SyntaxNode[];
  properties?: SyntaxNode[];
}

function walk(node: unknown, visit: (node: SyntaxNode) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node) visit(node as SyntaxNode);
  for (const part of Object.values(node)) walk(part, visit);
}

/**
 * All icons are in one list for all apps; an app's first script gets only the icons named in its
 * own files or in shared ones.
 */
export function withoutStrangeIcons(name: string): PluginOption {
  return {
    name: 'without-strange-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/apps\/shared\/ui\/icon\.tsx$/ },
      handler(code) {
        const folders = [path.join(apps, name), path.join(apps, 'shared')];
        const files = folders.flatMap((folder) =>
          readdirSync(folder, { recursive: true, encoding: 'utf8' })
            .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('icon.tsx'))
            .map((file) => readFileSync(path.join(folder, file), 'utf8')),
        );
        const named = new Set(
          files.flatMap((text) =>
            [...text.matchAll(/['"]([a-z-]+)['"]/g)].map(([, word = '']) => word),
          ),
        );
        return {
          code: code.replace(/^ {2}'?([a-z-]+)'?:\s+'M[^']*',$/gm, (line, icon: string) =>
            named.has(icon) ? line : '',
          ),
          map: null,
        };
      },
    },
  };
}

/**
 * Turns late parts into plain import() calls: Vite's loader would add a kilobyte to the first
 * script and a slow task before the app.
 */
export function plainImports(): PluginOption {
  return {
    name: 'plain-imports',
    enforce: 'pre',
    load: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => 'export const __vitePreload = (load) => load();',
    },
  };
}

/** Puts the style sheet into the page, so that the first frame needs no second request. */
export function inlineStyles(): PluginOption {
  return {
    name: 'inline-styles',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) =>
        html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g, (link, file: string) => {
          const sheet = bundle?.[file];
          return sheet?.type === 'asset' ? `<style>${String(sheet.source).trim()}</style>` : link;
        }),
    },
  };
}

/**
 * Moves the styles of late parts (`*.late.module.css`) into their scripts, so that the page's
 * style sheet has only what is visible at first.
 */
export function lateStyles(): PluginOption {
  let config: ResolvedConfig;
  const asScript = /\.late\.module\.css\.js$/;
  return {
    name: 'late-styles',
    enforce: 'pre',
    configResolved(resolved) {
      config = resolved;
    },
    async resolveId(source, importer) {
      if (!source.endsWith('.late.module.css')) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && `${found.id}.js`;
    },
    load: {
      filter: { id: asScript },
      async handler(id, { ssr = false } = {}) {
        const file = id.slice(0, -'.js'.length);
        this.addWatchFile(file);
        const { code, modules } = await preprocessCSS(readFileSync(file, 'utf8'), file, config);
        const text = JSON.stringify(code.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' '));
        // The server puts the text into the head of a page on which it draws the part.
        if (ssr) return `export default { ...${JSON.stringify(modules)}, sheet: ${text} };`;
        // The page's policy would have to name a style element; a sheet made by a script needs no
        // entry.
        return `const sheet = new CSSStyleSheet();
          sheet.replaceSync(${text});
          document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
          export default ${JSON.stringify(modules)};`;
      },
    },
  };
}

/** How the plugin builds a service worker: it would print its files, and name an old option. */
export const quietWorker: VitePWAOptions['integration'] = {
  configureCustomSWViteBuild(config) {
    config.logLevel = 'warn';
    const { rollupOptions, ...build } = config.build ?? {};
    const { entryFileNames } = [rollupOptions?.output].flat()[0] ?? {};
    const output = { entryFileNames, codeSplitting: false };
    config.build = { ...build, rolldownOptions: { ...rollupOptions, output } };
  },
};

/**
 * Builds the app's sw.ts into sw.js beside its page, without a file list, manifest or automatic
 * registration.
 */
export function buildWorker(): PluginOption {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: '.',
    filename: 'sw.ts',
    manifest: false,
    injectRegister: false,
    injectManifest: { injectionPoint: undefined },
    integration: quietWorker,
  });
}

/** A page in one file, with its script and style inside, which works without a server. */
export function defineOneFile(name: string): UserConfig {
  return {
    root: path.join(apps, name),
    base: './',
    publicDir: false,
    plugins: [inlineFiles()],
    build: {
      outDir: path.join(dist, name),
      emptyOutDir: true,
      modulePreload: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  };
}

/** Puts the only script and the only style sheet into the page and drops their files. */
function inlineFiles(): PluginOption {
  return {
    name: 'inline-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') return;
      const take = (file: string) => {
        const found = bundle[file];
        delete bundle[file];
        return found?.type === 'chunk' ? found.code : String(found?.source).trim();
      };
      page.source = String(page.source)
        .replace(
          /<script type="module"[^>]*src="\.\/([^"]+)"[^>]*><\/script>/g,
          (_, file: string) =>
            `<script type="module">${take(file).replaceAll('</script', '<\\/script')}</script>`,
        )
        .replace(
          /<link rel="stylesheet"[^>]*href="\.\/([^"]+)"[^>]*>/g,
          (_, file: string) => `<style>${take(file)}</style>`,
        );
    },
  };
}

/** The seating chart: one classic script that sets the global `seatsio` before its load event. */
export function defineChart(): UserConfig {
  const root = path.join(apps, 'chart');
  return {
    root,
    publicDir: false,
    build: {
      outDir: path.join(dist, 'chart'),
      emptyOutDir: true,
      reportCompressedSize: false,
      lib: {
        entry: path.join(root, 'main.ts'),
        formats: ['iife'],
        name: 'seatsio',
        fileName: () => 'chart.js',
      },
    },
  };
}

/**
 * The chart designer: a module beside chart.js, which loads it on demand; rarely needed parts are
 * in further files.
 */
export function defineDesigner(): UserConfig {
  const root = path.join(apps, 'chart', 'designer');
  return {
    root,
    // These files are always in chart.js's folder.
    base: './',
    publicDir: false,
    plugins: [react(), plainImports()],
    build: {
      outDir: path.join(dist, 'chart', 'designer'),
      emptyOutDir: true,
      reportCompressedSize: false,
      // The reader of PDF files, 1.6 MB, is fetched only when one is opened.
      chunkSizeWarningLimit: 1_700,
      modulePreload: { polyfill: false },
      // Inline files would need `data:` in the content policy.
      assetsInlineLimit: 0,
      assetsDir: '',
      rolldownOptions: {
        input: path.join(root, 'main.tsx'),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: 'designer.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  };
}

/**
 * The two build recipes of the browser side, so that each app's vite.config.ts is one or two lines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { preprocessCSS, type PluginOption, type ResolvedConfig, type UserConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

const apps = import.meta.dirname;
const dist = path.join(apps, '..', 'dist');
/** The package names its build for development alone, which carries warnings to every visitor. */
const productionRouter = path.join(apps, '../node_modules/react-router/dist/production/index.mjs');

/**
 * A React app: root `apps/<name>`, its own `public` folder, hashed files under `<base>assets/`,
 * built into `dist/<name>`.
 * `base` is where the site mounts it and ends with a slash; further plugins run after React's.
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
 * A class of a CSS module is called by its place: `.row` of `order/places.module.css` becomes
 * `order-places_row`.
 * Built for browser and server alike, it is the same in both, and a person finds the file from the
 * element.
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

/** What a caller never looks at: the server alone reads queries and bodies, and refuses. */
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
 * Leaves out the schemas of endpoints, which are a tenth of the script that a visitor's phone
 * would fetch: the public site needs only method, path and whether the answer is JSON. Not for
 * apps that read with a schema of the contract themselves.
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
          // An empty list may be spread in objects, in lists and in calls.
          if (node.type === 'SpreadElement' && node.argument?.type === 'MemberExpression')
            cuts.push([node.start, node.end, '...[]']);
          if (node.type !== 'CallExpression') return;
          if (node.callee?.name !== 'endpoint') {
            // Whatever is left of the schemas is told to be without effect, so that what nobody
            // uses falls away.
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

/** The part of a syntax tree that is looked at. */
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
 * Our icons are one list for all apps: an app's first script carries those alone that its own
 * files, or what all apps share, ever name.
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
 * A late part of the app is a plain import(): Vite's own loader would be a kilobyte of the first
 * script, and its links a slow task before the app.
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

/** The first frame waits for no second request: the page's style sheet stands in the page. */
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
 * The style of a part that is fetched when it is wanted (`*.late.module.css`) comes within the
 * script of that part: the page's own sheet has only what can be seen at first.
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
      async handler(id) {
        const file = id.slice(0, -'.js'.length);
        this.addWatchFile(file);
        const { code, modules } = await preprocessCSS(readFileSync(file, 'utf8'), file, config);
        const text = JSON.stringify(code.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' '));
        // A style element would need a name in the page's policy; a sheet that a script makes needs
        // none.
        return `if (typeof document !== 'undefined') {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(${text});
          document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        }
        export default ${JSON.stringify(modules)};`;
      },
    },
  };
}

/**
 * Only builds the app's sw.ts into sw.js beside its page: no list of files, no manifest, and
 * nothing registers it by itself.
 */
export function buildWorker(): PluginOption {
  return VitePWA({
    strategies: 'injectManifest',
    srcDir: '.',
    filename: 'sw.ts',
    manifest: false,
    injectRegister: false,
    injectManifest: { injectionPoint: undefined },
  });
}

/**
 * A page that is one file with its script and its style in it: it needs nobody, and nothing beside
 * it.
 */
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

/** The page's only script and its only style stand in the page, and no file beside it. */
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
 * The chart designer: a module of its own beside chart.js, which loads it where one is opened; what
 * it needs seldom lies in further files.
 */
export function defineDesigner(): UserConfig {
  const root = path.join(apps, 'chart', 'designer');
  return {
    root,
    // Wherever chart.js lies, these lie beside it.
    base: './',
    publicDir: false,
    plugins: [react(), plainImports()],
    build: {
      outDir: path.join(dist, 'chart', 'designer'),
      emptyOutDir: true,
      reportCompressedSize: false,
      modulePreload: { polyfill: false },
      // A content policy need not let data: in.
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

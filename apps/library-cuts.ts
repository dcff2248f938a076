/** Leaves out of a script the parts of libraries that only other kinds of programs use. */
import type { PluginOption } from 'vite';

interface Cut {
  file: RegExp;
  find: RegExp;
  put: string;
}

const router = /\/react-router\/dist\/production\/chunk-\w+\.mjs$/;
const queryClient = /\/query-core\/build\/modern\/queryClient\.js$/;
const query = /\/query-core\/build\/modern\/query\.js$/;

/**
 * The site's routes have no loaders, its links fetch nothing ahead, and its data has neither
 * mutations nor endless lists.
 */
const cuts: readonly Cut[] = [
  // A written property or an unmarked call would keep a component that no page uses.
  { file: router, find: /^\w+\.(displayName|contextType) = .*$/gm, put: '' },
  {
    file: router,
    find: /= (React\d*\.(?:createContext|forwardRef|memo)\()/g,
    put: '= /* @__PURE__ */ $1',
  },
  {
    file: router,
    find: /let dataRouterState = dataRouterOpts\?\.state;/,
    put: 'const dataRouterState = undefined;',
  },
  // Mistakes of programmers, which development shows, need no words in a visitor's script.
  {
    file: router,
    find: /^( *)(invariant|warning)\(([^;]*?),\s*(?:`(?:[^`\\]|\\.)*`|"[^"\n]*")\s*\);$/gm,
    put: '$1$2($3);',
  },
  { file: router, find: /isDataRoute \? useNavigateStable\(\) : useNav/, put: 'useNav' },
  {
    file: router,
    find: /function usePrefetchBehavior\(.*\{$/m,
    put: '$& return [false, null, {}];',
  },
  { file: router, find: /function PrefetchPageLinks\(.*\{$/m, put: '$& return null;' },
  { file: queryClient, find: /^import \{ MutationCache \}.*$/m, put: '' },
  {
    file: queryClient,
    find: /new MutationCache\(\)/,
    put: '{ clear() {}, resumePausedMutations: async () => {} }',
  },
  { file: query, find: /^import \{ infiniteQueryBehavior \}.*$/m, put: '' },
  {
    file: query,
    find: /this\.#queryType === "infinite" \? infiniteQueryBehavior\(.*?\) : /,
    put: '',
  },
];

/**
 * Makes the cuts in what is built.
 * @throws Error if a library no longer has what a cut looks for
 */
export function withLibraryCuts(): PluginOption {
  return {
    name: 'library-cuts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: [router, queryClient, query] },
      handler(code, id) {
        const due = cuts.filter(({ file }) => file.test(id));
        // The router has a second, smaller file of such a name.
        if (due[0]?.file === router && !code.includes('usePrefetchBehavior')) return null;
        return {
          code: due.reduce((text, { find, put }) => {
            const cut = text.replace(find, put);
            if (cut === text) throw new Error(`${id} has no ${String(find)}`);
            return cut;
          }, code),
          map: null,
        };
      },
    },
  };
}

/** Builds the public site, mounted at the root. */
import {
  buildWorker,
  defineApp,
  inlineStyles,
  lateStyles,
  plainImports,
  withoutSchemas,
  withoutStrangeIcons,
} from '#apps/vite.ts';
import { withLibraryCuts } from '#apps/library-cuts.ts';

const site = defineApp('booking', '/', [
  inlineStyles(),
  lateStyles(),
  withoutSchemas(),
  withoutStrangeIcons('booking'),
  withLibraryCuts(),
  plainImports(),
  buildWorker(),
]);

export default {
  ...site,
  build: {
    ...site.build,
    modulePreload: false,
    // All styles are in one sheet, which is put into the page, so late parts need none of their
    // own.
    cssCodeSplit: false,
    // From this file server/http/late-parts.ts learns which other files a page needs.
    manifest: true,
    // Every page needs two files, React and the rest: they compress better than ten small ones,
    // and neither keeps a phone busy for long.
    rolldownOptions: {
      // Modules of rules and shapes have no side effects, so their unused parts are left out.
      treeshake: {
        moduleSideEffects: [{ test: /\/server\/(domain|contract)\//, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // A file of its own, because the first script would have to wait for a larger one.
            { name: 'start', test: /preload-helper/, priority: 3 },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // Includes all imports of main.tsx.
            { name: 'site', test: /apps\/booking\/(main\.tsx|shell\/calm\.ts)$/, priority: 1 },
          ],
        },
      },
    },
  },
};

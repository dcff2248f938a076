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

const site = defineApp('booking', '/', [
  inlineStyles(),
  lateStyles(),
  withoutSchemas(),
  withoutStrangeIcons('booking'),
  plainImports(),
  buildWorker(),
]);

export default {
  ...site,
  build: {
    ...site.build,
    modulePreload: false,
    // One style sheet, which stands in the page: late parts have none of their own to fetch.
    cssCodeSplit: false,
    // The server looks up there what a page needs beyond its first script
    // (server/http/late-parts.ts).
    manifest: true,
    // What every page needs comes as two files, React and the rest: they compress better than
    // ten, a phone asks twice, and neither keeps it busy for long.
    rolldownOptions: {
      // Modules of rules and shapes have no side effects, so what is not used of them is left
      // out.
      treeshake: {
        moduleSideEffects: [{ test: /\/server\/(domain|contract)\//, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          groups: [
            // Apart, or the first script would wait for the file that it stands in.
            { name: 'start', test: /preload-helper/, priority: 3 },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 2 },
            // With all that it imports.
            { name: 'site', test: /apps\/booking\/main\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
};

/** Asks two accessibility engines, axe and IBM's, what is wrong with a page as it stands; both are put into the page only for the question. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';

const require = createRequire(import.meta.url);
const scripts = ['axe-core/axe.min.js', 'accessibility-checker-engine/ace.js'].map((file) =>
  readFileSync(require.resolve(file), 'utf8'),
);

interface AxeAnswer {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}
interface IbmAnswer {
  results: { ruleId: string; value: [string, string]; message: string; snippet: string }[];
}

/** One line per fault, so that an empty list is a clean page; WCAG 2.2 A and AA and good practice. `part` is a selector: nothing else is looked at. */
export async function auditPage(page: Page, part = ':root'): Promise<string[]> {
  if (!(await page.evaluate('typeof axe === "object" && typeof ace === "object"'))) {
    // Through eval: a script tag would itself be audited, and a content policy would keep it out.
    for (const script of scripts) await page.evaluate(script);
  }
  // What follows the size of the window is drawn in the frames after it; under a clock that a test has stopped there are none.
  const drawn = page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
  await Promise.race([drawn, pause(1_000)]);
  // What fades in or out has no colour of its own yet. Bounded: an animation outside the window may never begin.
  await page.evaluate(() =>
    Promise.race([
      Promise.allSettled(
        document
          .getAnimations()
          .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
          .map((animation) => animation.finished),
      ).then(() => {}),
      new Promise<void>((resolve) => {
        setTimeout(resolve, 1_000);
      }),
    ]),
  );
  const axe = await page.evaluate<AxeAnswer>(
    `axe.run(${JSON.stringify(part)} === ':root' ? document : ${JSON.stringify(part)}, { rules: { 'target-size': { enabled: true } } })`,
  );
  const ibm =
    await page.evaluate<IbmAnswer>(`new ace.Checker().check(${JSON.stringify(part)} === ':root' ? document : document.querySelector(${JSON.stringify(part)}), ['IBM_Accessibility', 'WCAG_2_2'])
    .then(({ results }) => ({ results: results.map(({ ruleId, value, message, snippet }) => ({ ruleId, value, message, snippet })) }))`);
  return [
    ...axe.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `axe ${id}: ${html} ${failureSummary ?? ''}`),
    ),
    ...ibm.results
      .filter(({ value: [level, outcome] }) => level === 'VIOLATION' && outcome === 'FAIL')
      .map(({ ruleId, message, snippet }) => `ibm ${ruleId}: ${message} ${snippet}`),
  ];
}

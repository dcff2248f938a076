/** Asks two accessibility engines, axe and IBM's, what is wrong with a page as it stands; each is put into the page only for the question. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright';

const require = createRequire(import.meta.url);
const read = (file: string) => readFileSync(require.resolve(file), 'utf8');

/** WCAG 2.2 A and AA and good practice; where only colours differ from what was looked at before, contrast alone. */
type Question = 'axe' | 'ibm' | 'contrast';

/** `part`: a CSS selector. Each answers one line per fault. */
const questions: Record<Question, (page: Page, part: string) => Promise<string[]>> = {
  axe: (page, part) =>
    askAxe(
      page,
      part,
      `{ rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] }`,
    ),
  contrast: (page, part) => askAxe(page, part, `{ runOnly: ['color-contrast'] }`),
  ibm: askIbm,
};

/** One line per fault, so that an empty list is a clean page. `part` is a selector: nothing else is looked at. */
export async function auditPage(
  page: Page,
  part = ':root',
  asked: readonly Question[] = ['axe', 'ibm'],
): Promise<string[]> {
  await settle(page);
  const faults: string[] = [];
  for (const question of asked) faults.push(...(await questions[question](page, part)));
  return faults;
}

/** What is on its way to another look has no colour and no place of its own yet. */
async function settle(page: Page): Promise<void> {
  // What follows the size of the window is drawn in the frames after it; under a clock that a test has stopped there are none.
  const drawn = page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      }),
  );
  await Promise.race([drawn, pause(1_000)]);
  // Ended at once: one outside the window may never begin, and one that follows a scroll bar never ends.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (
        animation.timeline === document.timeline &&
        animation.effect?.getComputedTiming().endTime !== Infinity
      )
        animation.finish();
  });
}

const scripts = {
  axe: read('axe-core/axe.min.js'),
  ace: read('accessibility-checker-engine/ace.js'),
};

/** Through eval: a script tag would itself be audited, and a content policy would keep it out. */
async function bring(page: Page, engine: keyof typeof scripts): Promise<void> {
  if (!(await page.evaluate(`typeof ${engine} === 'object'`))) await page.evaluate(scripts[engine]);
}

interface AxeAnswer {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

async function askAxe(page: Page, part: string, options: string): Promise<string[]> {
  await bring(page, 'axe');
  const { violations } = await page.evaluate<AxeAnswer>(
    `axe.run(${part === ':root' ? 'document' : JSON.stringify(part)}, ${options}).then(({ violations }) => ({ violations }))`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `axe ${id}: ${html} ${failureSummary ?? ''}`),
  );
}

interface IbmAnswer {
  ruleId: string;
  message: string;
  snippet: string;
}

/**
 * Of the rules that were asked for, those that can find a violation. The others, which cost more
 * than half of the time, only ask a person to look.
 */
const withRulesThatFail = `(checker, names) => {
  for (const name of names)
    checker.rulesetRules[name] = checker.rulesetRules[name].filter((id) =>
      checker.engine.ruleMap[id].run.toString().includes('RuleFail'));
  if (checker.rulesetRules[names[0]].length < 80) throw new Error('IBM has other rules');
  return checker;
}`;

async function askIbm(page: Page, part: string): Promise<string[]> {
  await bring(page, 'ace');
  const root = part === ':root' ? 'document' : `document.querySelector(${JSON.stringify(part)})`;
  const names = `['IBM_Accessibility', 'WCAG_2_2']`;
  const faults = await page.evaluate<
    IbmAnswer[]
  >(`(${withRulesThatFail})(new ace.Checker(), ${names}).check(${root}, ${names})
    .then(({ results }) => results.filter(({ value: [level, outcome] }) => level === 'VIOLATION' && outcome === 'FAIL')
      .map(({ ruleId, message, snippet }) => ({ ruleId, message, snippet })))`);
  return faults.map(({ ruleId, message, snippet }) => `ibm ${ruleId}: ${message} ${snippet}`);
}

/**
 * The faults of a state of a public screen: two accessibility engines, an HTML validator, and
 * content beyond the window.
 */
import { HtmlValidate, type RuleConfig } from 'html-validate';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';

/**
 * The framework and the build decide the spelling of tags and ids, and browsers accept all of it.
 */
const spelling: RuleConfig = {
  'doctype-style': 'off',
  'void-style': 'off',
  'no-trailing-whitespace': 'off',
  'attr-case': 'off',
  'attribute-boolean-style': 'off',
  'valid-id': ['error', { relaxed: true }],
};
const validators = {
  sent: new HtmlValidate({ extends: ['html-validate:recommended'], rules: spelling }),
  // What a browser serializes: `hidden=""`, and styles that a script has set. The chart's regions
  // are not the page's sections.
  standing: new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: {
      ...spelling,
      'attribute-empty-style': 'off',
      'no-inline-style': 'off',
      'prefer-native-element': ['error', { exclude: ['region'] }],
    },
  }),
};

/** `sent`: HTML of the server; `standing`: HTML serialized by a browser. */
export async function htmlFaults(html: string, kind: keyof typeof validators): Promise<string[]> {
  const { results } = await validators[kind].validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector ?? ''}`),
  );
}

const [narrow, wide] = [
  { width: 360, height: 740 },
  { width: 1280, height: 900 },
];
/** Each state is checked in both themes; the dark one is narrow and wide in turn. */
const looks = [
  [
    { colorScheme: 'dark', viewport: narrow },
    { colorScheme: 'light', viewport: wide },
  ],
  [
    { colorScheme: 'dark', viewport: wide },
    { colorScheme: 'light', viewport: narrow },
  ],
] as const;
let seen = 0;

/**
 * Expects no fault in the page; while a dialog is open, only the dialog is checked, because the
 * rest cannot be reached. The page keeps the second theme and size.
 */
export async function expectNoFaults(page: Page, state: string): Promise<void> {
  const faults: string[] = [];
  const dialog = 'dialog[open]:modal';
  const part = (await page.locator(dialog).count()) > 0 ? dialog : ':root';
  for (const [index, { colorScheme, viewport }] of looks[seen++ % looks.length]!.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const name = `${colorScheme}, ${viewport.width} px`;
    // Words, roles and targets are the same in both themes: the second look is for contrast alone.
    const found = await auditPage(page, part, index === 0 ? ['axe', 'ibm'] : ['contrast']);
    faults.push(...[...found, ...(await sidewaysFaults(page))].map((fault) => `${name}: ${fault}`));
  }
  faults.push(...(await htmlFaults(await page.content(), 'standing')));
  expect([state, faults]).toEqual([state, []]);
}

export async function sidewaysFaults(page: Page): Promise<string[]> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return beyond > 0 ? [`${beyond} px sideways`] : [];
}

/** Presses a link after hydration; before, the link would load the next page from the server. */
export async function followLink(link: Locator): Promise<void> {
  await expect
    .poll(
      () =>
        link.evaluate((element) =>
          Object.keys(element).some((key) => key.startsWith('__reactProps')),
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  await link.click();
}

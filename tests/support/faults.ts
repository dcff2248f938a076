/** What is wrong with a state of a public screen: two accessibility engines, the validator of HTML, and the edges of the window. */
import { HtmlValidate, type RuleConfig } from 'html-validate';
import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { auditPage } from '#tests/chart/audit.ts';

/** The spelling of tags and ids is the framework's and the build's, and browsers read all of them alike. */
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
  // What a browser writes down: `hidden=""`, and styles that a script has set. The chart's regions are not the page's sections.
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

/** `sent` by the server, or `standing` in a browser. */
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
/** Each state is seen in both themes; which of them is the narrow one changes from state to state. */
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
 * Nothing is wrong with the page as it stands, or with the dialog that stands before it: what is
 * behind it can be reached by nobody. The page is left in the second look.
 */
export async function expectNoFaults(page: Page, state: string): Promise<void> {
  const faults: string[] = [];
  const dialog = 'dialog[open]:modal';
  const part = (await page.locator(dialog).count()) > 0 ? dialog : ':root';
  for (const [index, { colorScheme, viewport }] of looks[seen++ % looks.length]!.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const name = `${colorScheme}, ${viewport.width} px`;
    // IBM's engine reads words and roles, which both looks share.
    const found = await auditPage(page, part, index === 0 ? ['axe', 'ibm'] : ['axe']);
    faults.push(...[...found, ...(await sidewaysFaults(page))].map((fault) => `${name}: ${fault}`));
  }
  faults.push(...(await htmlFaults(await page.content(), 'standing')));
  expect([state, faults]).toEqual([state, []]);
}

export async function sidewaysFaults(page: Page): Promise<string[]> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return beyond > 0 ? [`${beyond} px sideways`] : [];
}

/** Presses a link once the app has taken it over: before that it would fetch the next page from the server. */
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
